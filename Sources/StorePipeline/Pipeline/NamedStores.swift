extension Pipeline {
  /// The paths of the stores that the file names, with what its patterns stand for now.
  ///
  /// - Throws: ``PipelineFileError`` for a pattern that no store fits, and for a folder that cannot
  ///   be read, in which some may be.
  public func namedStores() throws(PipelineFileError) -> [String] {
    var found: [String] = []
    for store in stores {
      let place = PipelinePath.shown(resolve(store))
      guard let pattern = PathPattern(place) else {
        found.append(place)
        continue
      }
      let fitting = try stores(fitting: pattern, store)
      guard !fitting.isEmpty else {
        throw PipelineFileError([
          Problem(
            file: file, line: line(of: "store"),
            message: "no store fits \(LuaText.quoted(store)): there is no file like \(place)")
        ])
      }
      found += fitting
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  private func stores(
    fitting pattern: PathPattern, _ store: String
  ) throws(PipelineFileError) -> [String] {
    do throws(PathPattern.Unreadable) {
      return try pattern.stores()
    } catch {
      throw PipelineFileError([
        Problem(
          file: file, line: line(of: "store"),
          message: "cannot look for \(LuaText.quoted(store)) in \(error.folder): \(error.words); "
            + "name the stores, or run as a user who may read the folder",
          isRefusal: true)
      ])
    }
  }
}

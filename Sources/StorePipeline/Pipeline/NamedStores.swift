extension Pipeline {
  /// The paths of the stores that the file names, with what its patterns stand for now.
  ///
  /// - Throws: ``PipelineFileError`` for a pattern that no store fits.
  public func namedStores() throws(PipelineFileError) -> [String] {
    var found: [String] = []
    for store in stores {
      let place = PipelinePath.shown(resolve(store))
      guard let pattern = PathPattern(place) else {
        found.append(place)
        continue
      }
      let fitting = pattern.stores
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
}

internal import Formats

/// Which of several versions is the current one.
enum CurrentVersion {
  /// The current version's name, or why there is none.
  static func find(
    in place: ModelPlace, _ kind: ModelFile.Kind, among versions: [String], record: VersionRecord?
  ) -> Result<String, ModelError> {
    do throws(ModelError) {
      let said = kind == .sourceVersions ? try said(in: place) : record?.currentVersion
      return .success(try choose(said, among: versions, kind, place))
    } catch {
      return .failure(error)
    }
  }

  /// What Xcode's `.xccurrentversion` says, nil when it is not there.
  private static func said(in place: ModelPlace) throws(ModelError) -> String? {
    let file = place.below(".xccurrentversion")
    guard ModelPlace(file).exists else { return nil }
    do {
      let list = try PropertyList(reading: try ModelPlace.contents(of: file))
      return list["_XCCurrentVersionName"]?.string.map(ModelPlace.stem)
    } catch let error as ModelError {
      throw error.inside(file)
    } catch {
      throw ModelError(reading: file, why: "The current version cannot be read: \(error)")
    }
  }

  private static func choose(
    _ said: String?, among versions: [String], _ kind: ModelFile.Kind, _ place: ModelPlace
  ) throws(ModelError) -> String {
    if kind == .source || kind == .compiled || said == nil, versions.count == 1 {
      return versions[0]
    }
    guard let said else {
      throw ModelError(
        what: "cannot tell the current model version", subject: place.path,
        why: "It has \(versions.count) versions, and nothing in it names the current one.",
        remedy: "Name the version: \(versions.prefix(20).joined(separator: ", ")).")
    }
    guard versions.contains(said) else {
      throw ModelError(
        what: "cannot tell the current model version", subject: place.path,
        why: "It says \"\(said)\", which is not among its versions.",
        remedy: "Name the version: \(versions.prefix(20).joined(separator: ", ")).")
    }
    return said
  }
}

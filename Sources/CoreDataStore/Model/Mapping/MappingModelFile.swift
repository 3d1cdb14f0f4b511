/// A file or folder that holds a mapping model: `.xcmappingmodel`, or the `xcmapping.xml` in it.
package struct MappingModelFile: Sendable {
  /// Where it is, as it was given.
  package let path: String
  package let mapping: MappingModel

  /// Reads a mapping model.
  ///
  /// - Throws: ``Failure`` when it cannot be read.
  package init(_ path: String) throws {
    self.path = path
    let place = ModelPlace(path)
    guard place.fileExtension != "cdm" else {
      throw Self.problem(
        path, "It is compiled (.cdm), which is not read here.",
        "Give the .xcmappingmodel it was compiled from.")
    }
    guard place.exists else {
      throw Self.problem(path, "There is no such file or folder.", "Check the path.")
    }
    let inner = place.below("xcmapping.xml")
    let file = ModelPlace(inner).exists ? inner : place.path
    do throws(Failure) {
      mapping = try MappingModelReader.read(try ModelPlace.contents(of: file))
    } catch {
      throw Self.problem(
        error.subject.isEmpty ? file : "\(file): \(error.subject)", error.why, error.remedy)
    }
  }

  private static func problem(_ subject: String, _ why: String, _ remedy: String) -> Failure {
    Failure(
      .unusableModel, what: "cannot read the mapping model", subject: subject, why: why,
      remedy: remedy)
  }
}

internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem

/// The places that stores have had in a folder of outputs, reports or work folders.
///
/// The name of a store there is what distinguishes it from the others of its list. In another list,
/// such as that of the stores that failed, it would have another place: its run would not be
/// resumed, and its output would be written twice. So a file in the folder says where the stores of
/// earlier commands are. Commands only append to it, because several may share the folder.
enum FleetPlaces {
  private static let file = ".pipeline-places"
  /// A million stores have as much.
  private static let most = 256 << 20

  /// The names of the stores of earlier commands, by their absolute paths.
  static func names(in folder: String) throws(Failure) -> [String: String] {
    let path = "\(folder)/\(file)"
    let text: [UInt8]
    do {
      guard let found = try FileSystem.record(path, most: most) else { return [:] }
      text = found
    } catch {
      throw Failure(
        .refused, what: "cannot read where stores have their places", subject: path,
        why: Failure.reason(error, at: path), remedy: "Check the permissions; nothing was changed.")
    }
    var names: [String: String] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let entry = try? JSONValue(reading: Array(line), limits: .json),
        let store = entry["store"]?.string, let name = entry["name"]?.string, isWithin(name)
      else { continue }
      names[store] = names[store] ?? name
    }
    return names
  }

  /// Whether a name leads nowhere else: the file may have been edited.
  private static func isWithin(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }

  /// Notes the names of stores that have none in the folder yet.
  static func keep(
    _ names: [(store: String, name: String)], in folder: String
  ) throws(Failure) {
    let known = try self.names(in: folder)
    let lines = names.filter { known[$0.store] == nil }.map { entry in
      let members: [JSONValue.Member] = [
        .init("store", .string(entry.store)), .init("name", .string(entry.name)),
      ]
      return JSONValue.object(members).text()
    }
    guard !lines.isEmpty else { return }
    let path = "\(folder)/\(file)"
    do {
      try FileManager.default.createDirectory(
        at: URL(filePath: folder), withIntermediateDirectories: true)
      let file = FileHandle(
        fileDescriptor: try Streams.openToAppend(path), closeOnDealloc: true)
      // A command that was killed may have left its last line without an end.
      try file.write(contentsOf: Data("\n\(lines.joined(separator: "\n"))\n".utf8))
    } catch {
      throw Failure.unwritten(what: "cannot note where stores have their places", path, error)
    }
  }
}

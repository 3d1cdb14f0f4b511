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
struct FleetPlaces {
  private static let file = ".pipeline-places"
  /// A million stores have as much.
  private static let most = 256 << 20

  /// The stores of earlier commands by their absolute paths: those that a Swift text takes for one,
  /// because they differ only in how their characters are composed, are together.
  private var stores: [String: [(path: String, name: String)]] = [:]
  /// The first store that has a name, by its path.
  private(set) var owners: [String: String] = [:]

  /// Whether no store has a place yet.
  var isEmpty: Bool { stores.isEmpty }

  /// Reads what a folder says of the stores of earlier commands.
  init(in folder: String) throws(Failure) {
    let path = "\(folder)/\(Self.file)"
    let text: [UInt8]
    do {
      guard let found = try FileSystem.record(path, most: Self.most) else { return }
      text = found
    } catch {
      throw Failure(
        .refused, what: "cannot read where stores have their places", subject: path,
        why: Failure.reason(error, at: path), remedy: "Check the permissions; nothing was changed.")
    }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let entry = try? JSONValue(reading: Array(line), limits: .json),
        let store = entry["store"]?.string, let name = entry["name"]?.string, Self.isWithin(name)
      else { continue }
      stores[store, default: []].append((store, name))
      owners[name] = owners[name] ?? store
    }
  }

  /// The name of the store at an absolute path; nil where it has none yet.
  ///
  /// Names that differ in how their characters are composed may be two files, or one that was named
  /// in two ways: the disk knows.
  func name(of store: String) -> String? {
    guard let known = stores[store] else { return nil }
    if let same = known.first(where: { $0.path.utf8.elementsEqual(store.utf8) }) {
      return same.name
    }
    guard let file = FileSystem.entry(following: store)?.identity else { return nil }
    return known.first { FileSystem.entry(following: $0.path)?.identity == file }?.name
  }

  /// Whether a name leads nowhere else: the file may have been edited.
  private static func isWithin(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }

  /// Notes the names of stores that have none in the folder yet.
  static func keep(
    _ names: [(store: String, name: String)], in folder: String
  ) throws(Failure) {
    let known = try Self(in: folder)
    let lines = names.filter { known.name(of: $0.store) == nil }.map { entry in
      let members: [JSONValue.Member] = [
        .init("store", .string(entry.store)), .init("name", .string(entry.name)),
      ]
      return JSONValue.object(members).text()
    }
    guard !lines.isEmpty else { return }
    let path = "\(folder)/\(Self.file)"
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

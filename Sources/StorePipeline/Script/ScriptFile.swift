internal import CoreDataStore

struct ScriptFile: Sendable, Hashable {
  /// The file, as mistakes name it.
  let path: String
  /// The folder that `require` reads; empty where there is none.
  let folder: String
  /// What stands in it.
  let text: [UInt8]

  /// What errors inside the interpreter call the file; short, because Lua cuts long names.
  static let chunk = "script"

  /// A script that is no file: what mistakes call it, and its text.
  init(_ text: [UInt8], named name: String) {
    (path, folder, self.text) = (name, "", text)
  }

  init(path: String) throws(Problem) {
    self.path = path
    folder = PipelinePath.folder(of: path)
    text = try WrittenText.read(path, as: "script")
  }

  /// The text of a line, cut where it is long; empty when there is no such line.
  func line(_ number: Int) -> String {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return "" }
    return String(decoding: lines[number - 1].prefix(200), as: UTF8.self)
  }

  /// The name of a text that was loaded, as mistakes give it: that of the file, or of a module.
  func name(of chunk: String) -> String {
    guard chunk != Self.chunk else { return path }
    guard !folder.isEmpty else { return chunk }
    // The interpreter names a module by its path with all links resolved.
    let folders = [folder, FilePlace(folder).path]
    let own = folders.first { chunk.hasPrefix($0 + "/") }
    return own.map { String(chunk.dropFirst($0.count + 1)) } ?? chunk
  }
}

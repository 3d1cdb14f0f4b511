import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport

/// The Notes sample with texts everywhere that would do harm where they are shown: names of files,
/// tables, entities' attributes and metadata, values, and what a script says.
enum HostileText {
  /// Turns the order, breaks the line, hides, and means something to HTML and Markdown.
  static let name = "ti\u{9B}2J\u{202E}\u{2028}\u{200B}\u{E0041}|`<i>[a](http://a.example)"
  /// The same with what XML cannot hold, and with a quote that is another character by its accent.
  static let text =
    "\u{1B}[2J\u{1B}[31m\u{7}\(name)</script><script>alert(1)</script>\"\u{301} onclick=alert(1) "
    + "x='\u{301}\r\npipeline: warning: all is well\u{7F}"
  /// The name of the store's file.
  static let file = "N\u{1B}[2J\u{202E}\n'\u{301};$(date)`date`\"<b>.sqlite"

  /// Lays it all out: the store by its file's name, `notes.pipeline` with a script that says much,
  /// and `wrong.pipeline` with one that fails.
  static func lay(in folder: URL) throws {
    try NotesSample.lay(in: folder)
    try FileManager.default.removeItem(at: folder.appending(path: "Notes.sqlite"))
    let models = folder.appending(path: "Notes.xcdatamodeld")
    // No store can have such an attribute; a model can be looked at all the same.
    let hostile = folder.appending(path: "Hostile.xcdatamodeld")
    try FileManager.default.copyItem(at: models, to: hostile)
    for version in ["Notes", "Notes 2"] { try spoil(hostile, version) }
    try SampleStore.make(
      of: try ModelFile(models.path).model(named: "Notes"),
      at: folder.appending(path: file).path,
      metadata: [text: text], adding: rows + tables)
    try write(pipeline("says.lua"), to: folder.appending(path: "notes.pipeline"))
    try write(
      pipeline("says.lua").replacing("Notes.xcdatamodeld", with: "Hostile.xcdatamodeld"),
      to: folder.appending(path: "hostile.pipeline"))
    try write(pipeline("fails.lua"), to: folder.appending(path: "wrong.pipeline"))
    try write(says, to: folder.appending(path: "says.lua"))
    try write(fails, to: folder.appending(path: "fails.lua"))
  }

  private static func write(_ text: String, to file: URL) throws {
    try Data(text.utf8).write(to: file)
  }

  /// Gives the attribute "name" of the folders the hostile name.
  private static func spoil(_ models: URL, _ version: String) throws {
    let file = models.appending(path: "\(version).xcdatamodel/contents")
    // With a full stop it would be the path of a part of a composite attribute.
    let escaped = name.replacing("<", with: "&lt;").replacing(".", with: "")
    let parts = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "entity name=\"Folder\"", maxSplits: 1)
    let folder = parts[1].replacing(
      "attribute name=\"name\"", with: "attribute name=\"\(escaped)\"", maxReplacements: 1)
    try write("\(parts[0])entity name=\"Folder\"\(folder)", to: file)
  }

  private static func sql(_ text: String) -> String {
    "CAST(x'\(text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' AS TEXT)"
  }

  private static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZPRIORITY, ZDONE, ZCREATED, ZFOLDER)
    VALUES (1, 2, 1, \(sql(text)), \(sql(text)), 'high', 0, 700000000, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
    """

  private static let tables = (1...30).map { number in
    "CREATE TABLE \"\(number)\(String(text.unicodeScalars.filter { $0 != "\"" }))\" (x);"
  }.joined()

  private static func pipeline(_ script: String) -> String {
    """
    pipeline "Notes" { format = 1, models = { "Notes.xcdatamodeld" }, target = "Notes 2" }
    stage "detect" {} stage "open" {} stage "copy" { drop { "Note.done", "Note.priority" } }
    stage "transform" { entity = "Note", script = "\(script)" }
    stage "connect" {}
    stage "validate" {}
    stage "verify" {}
    stage "swap" {}
    """
  }

  private static let says = """
    return { attributes = {
      priority = function() return 1 end,
      body = function(text, ctx)
        for i = 1, 300 do ctx.warn(i .. text .. ("x"):rep(5000)) end
        return text .. "!"
      end } }
    """

  private static let fails = """
    return { attributes = {
      priority = function() return 1 end,
      body = function(text) error(text .. ("x"):rep(5000)) end } }
    """
}

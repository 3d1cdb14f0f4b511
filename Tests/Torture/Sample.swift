import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport

/// The store that is tortured: scripted migration, large values in files, and a -wal that holds
/// half of the rows.
enum Sample {
  /// The store's name, and the pipeline's.
  static let store = "Store.sqlite"
  static let pipeline = "torture.pipeline"

  /// What is different about it.
  enum Variant: String, Sendable {
    /// An entity and its large values are dropped; the new store begins empty.
    case dropping = ""
    /// The same, and pictures are made by a script, which makes large values, too.
    case creating
    /// Nothing is dropped, so that the migration could be done to its own result once more.
    case repeatable
    /// The same as `dropping`, and more than a third of the store stays as it is: the new one
    /// begins on top of it.
    case layered = "on top of the store"
    /// The same, and the log of the new store starts over every few commits.
    case short = "on top of the store with a short log"
    /// The same as `layered`, in rollback mode.
    case rolling = "on top of a store in rollback mode"
    /// The same in two steps, each on top of what the one before it made.
    case chain = "through three versions, each on top of the one before"
    /// A layered one whose pages get another size after the run.
    case resized = "a backup with pages of another size"

    /// Whether an entity is dropped, and another one's values are converted.
    var drops: Bool { self != .repeatable }
    /// Whether an entity is there that stays as it is.
    var hasKept: Bool { [.layered, .short, .rolling, .chain, .resized].contains(self) }
    /// Whether there are three versions.
    var isChain: Bool { self == .chain }
    /// The journal mode of the store.
    var journal: String { self == .rolling ? "DELETE" : "WAL" }
  }

  /// Lays models, pipeline, scripts and store into a folder.
  static func lay(_ variant: Variant = .dropping, in folder: URL) throws {
    try TortureModel.write(into: folder, variant)
    try Data(pipelineText(variant).utf8).write(to: folder.appending(path: pipeline))
    try write(variant == .repeatable ? script.replacing(rank, with: "") : script, in: folder)
    try Data(create.utf8).write(to: folder.appending(path: "picture.lua"))
    if variant == .short {
      try Data("30000".utf8).write(to: folder.appending(path: Child.longestLog))
    }
    try makeStore(variant, in: folder)
  }

  /// Lets the script fail on two items, or corrects it.
  static func rejectItems(_ rejects: Bool, in folder: URL) throws {
    let count = "return count + 1"
    try write(
      rejects ? script.replacing(count, with: "assert(count % 6 ~= 0) \(count)") : script,
      in: folder)
  }

  private static func write(_ script: String, in folder: URL) throws {
    try Data(script.utf8).write(to: folder.appending(path: "rank.lua"))
  }

  private static func pipelineText(_ variant: Variant) -> String {
    let last = variant.isChain ? TortureModel.third : TortureModel.second
    return """
      param "method" { default = "replace", help = "how the new store takes its place" }
      param "wait" { default = "0 s", help = "how long to wait for another process" }

      pipeline "Torture" {
        format = 1,
        models = "\(TortureModel.folder)",
        target = "\(last)",
      }

      stage "detect" {}
      stage "open"   { wait = param.wait, space = "skip" }
      \(variant.isChain ? steps(variant) : stages(variant).joined(separator: "\n"))
      stage "validate" {}
      stage "swap"     { backup = { keep = 3 }, method = param.method }
      """
  }

  /// The stages of a chain of versions.
  private static func steps(_ variant: Variant) -> String {
    """
    step "\(TortureModel.second)" { \(stages(variant).joined(separator: ", ")) }
    step "\(TortureModel.third)" { stage "copy" { chunk = { rows = 4 } }, stage "connect" {} }
    """
  }

  private static func stages(_ variant: Variant) -> [String] {
    let pictures = "stage \"transform\" { entity = \"Picture\", script = \"picture.lua\" }"
    let copy = """
      stage "copy"   {
        \(variant == .dropping ? "start = \"empty\"," : "")
        chunk = { rows = 4 },
        \(variant.drops ? "drop { \"Draft\" }," : "")
        map { entity = "Picture", attributes = { copy = from "data" } },
        accept_loss = { \(variant.drops ? "\"Draft.*\"" : "") },
      }
      """
    return [
      copy,
      "stage \"transform\" { entity = \"Item\", script = \"rank.lua\", on_error = \"reject\" }",
    ] + (variant == .creating ? [pictures] : []) + ["stage \"connect\" {}"]
  }

  /// Done twice it gives other values, and loses those of `memo`.
  private static let script = """
    local numbers = { low = -1, high = 1 }
    return {
      attributes = {
        \(rank)
        count = function(count) return count + 1 end,
        memo = function(note) return note end,
        note = function(count) if count % 2 == 0 then return "even" end return nil end,
      },
    }
    """

  private static let rank = "rank = function(rank) return numbers[rank] or 0 end,"

  private static let create = """
    return {
      creates = { "Picture" },
      create = function(picture, new)
        local copy = new.Picture(picture)
        if picture.data then copy.copy = string.rep(picture.data, 150000 // #picture.data) end
        return copy
      end,
    }
    """

  private static func makeStore(_ variant: Variant, in folder: URL) throws {
    let models = try ModelFile(folder.appending(path: TortureModel.folder).path)
    let made = folder.appending(path: "made")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    let path = made.appending(path: store).path
    try SampleStore.make(
      of: try models.model(named: TortureModel.first), at: path,
      contents: NewStoreContents(uuid: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A12"),
      adding: rows(1...6, variant))
    let app = try Connection(path: path, mode: .own(create: false))
    try app.execute("PRAGMA journal_mode = \(variant.journal); PRAGMA wal_autocheckpoint = 0")
    try app.execute(rows(7...12, variant))
    // While it is open: closing would empty the -wal.
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: folder.appending(path: store + suffix).path)
    }
    try app.close()
    try FileManager.default.removeItem(at: made)
    let files = try StoreFiles(folder.appending(path: store).path).externalDataFolder
    try layFiles(in: URL(filePath: files))
  }

  private static func rows(_ range: ClosedRange<Int>, _ variant: Variant) -> String {
    let more = variant.hasKept ? 1 : 0
    let rows = range.map { number in
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (\(number), 1, 1, 'Box \(number)');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRANK, ZCOUNT, ZNOTE, ZBOX)
      VALUES (\(number), \(3 + more), 1, 'Item \(number)', 'high', \(number), 'Note \(number)',
        \(range.upperBound - number + 1));
      INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZDATA, ZITEM)
      VALUES (\(number), \(4 + more), 1, \(value(number)), \(number));
      INSERT INTO ZDRAFT (Z_PK, Z_ENT, Z_OPT, ZPAPER)
      VALUES (\(number), \(2 + more), 1, \(value(-number)));
      \(variant.hasKept ? chapter(number) : "")
      """
    }
    return rows.joined(separator: "\n")
      + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(range.upperBound);"
  }

  private static func chapter(_ number: Int) -> String {
    let text = String(repeating: "Chapter \(number) ", count: 800)
    return """
      INSERT INTO ZCHAPTER (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (\(number), 2, 1, '\(text)');
      """
  }

  /// Two pictures and two drafts are in files, and some in the column.
  private static func value(_ number: Int) -> String {
    guard abs(number) % 6 == 0 else { return number % 2 == 0 ? "x'0101020304'" : "NULL" }
    return "x'\(Hex.encode(ExternalReference(fileName(number))?.stored ?? []))'"
  }

  private static func fileName(_ number: Int) -> String {
    let digits = "\(abs(number))"
    let zeros = String(repeating: "0", count: 11 - digits.count)
    return "00000000-0000-4000-8000-\(number < 0 ? "D" : "A")\(zeros)\(digits)"
  }

  private static func layFiles(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in [6, 12, -6, -12] {
      let name = fileName(number)
      try Data(String(repeating: "content of \(name)\n", count: 100).utf8)
        .write(to: folder.appending(path: name))
    }
  }
}

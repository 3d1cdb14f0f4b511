internal import CoreDataStore
import Formats
import Lua

/// One interpreter with one script loaded in it; made and used on one thread.
final class LoadedScript {
  let file: ScriptFile
  let state: LuaState
  /// What the script's file returned.
  let result: LuaReference

  init(
    _ file: ScriptFile, params: [String: OptionValue], limits: LuaLimits = LuaLimits(),
    canceller: LuaCanceller = LuaCanceller()
  ) throws {
    self.file = file
    state = try LuaState(limits: limits, canceller: canceller)
    if !file.folder.isEmpty { try state.allowModules(in: file.folder) }
    try ScriptWords.define(in: state, params: .fields(params.mapValues(\.scriptValue)))
    result = try state.load(file.text, name: ScriptFile.chunk).callKeepingResult()
    // A module that came later would be in no digest, and its variables would not be watched: a
    // resumed run would mix two versions of it, and results would depend on the threads.
    state.closeModules()
  }

  /// A digest of the script and of everything it took with `require`.
  var digest: String { file.digest(in: state) }

  /// The nearest line of the script's, or of a module's, that led to the host.
  var place: (file: String, line: Int)? {
    var level = 1
    while let place = state.caller(level: level) {
      if ScriptFile.isTheirs(place.file) { return place }
      level += 1
    }
    return nil
  }
}

extension LoadedScript {
  /// Of a text that is no script, every word may be unknown.
  private static let mostUnknown = 100

  /// The names that the script's own file reads, and that neither it nor the sandbox has.
  ///
  /// The sandbox is asked for each, so the words are those of a run. Modules are left out: they may
  /// have functions that this script never calls.
  func unknownNames() -> [Problem] {
    let globals = LuaGlobals(file.text)
    var seen: Set<String> = []
    var problems: [Problem] = []
    for read in globals.reads where problems.count < Self.mostUnknown {
      let words = [read.name, read.field.map { "\(read.name).\($0)" }].compactMap(\.self)
      let new = words.filter { seen.insert($0).inserted }
      guard let said = new.lazy.compactMap(self.complaint).first else { continue }
      let message = Self.message(said, of: read.name, globals.locals)
      problems.append(
        file.problem(
          LuaError(kind: .error, message: message, file: ScriptFile.chunk, line: read.line)))
    }
    return problems
  }

  /// What the sandbox says of a name, where a local of the script may have been meant.
  private static func message(
    _ complaint: String, of name: String, _ locals: Set<String>
  ) -> String {
    let form = /unknown name '\w+'(?:; did you mean '(\w+)'\?)?/
    guard let match = complaint.wholeMatch(of: form) else { return complaint }
    let bare = "unknown name '\(name)'"
    // It is there, but not above this place or not in this function.
    if locals.contains(name) { return bare }
    let own = name.count > 2 ? locals.sorted() : []
    let names = (match.1.map { [String($0)] } ?? []) + own
    let near = NearestName.quoted(for: name, among: names)
    return near.isEmpty ? complaint : bare + near
  }

  /// What the sandbox says of a name that it does not have, or of such a field of a library.
  private func complaint(_ word: String) -> String? {
    do throws(LuaError) {
      try state.run("local value = \(word)", name: "name")
      return nil
    } catch {
      let starts = [
        "unknown name '\(word)'", "'\(word)' is not available: ",
        "'\(word.prefix { $0 != "." })' has no '",
      ]
      return starts.contains { error.message.hasPrefix($0) } ? error.message : nil
    }
  }
}

extension ScriptFile {
  /// Whether a text is the script's or one it required, and not one of the host's.
  static func isTheirs(_ name: String) -> Bool { name == chunk || name.hasPrefix("/") }

  /// A digest of the script and of everything that a state took with `require`.
  ///
  /// Names and lengths go in as well, so that a line that moves from one file to another shows.
  func digest(in state: LuaState) -> String {
    let hasher = Digest.Hasher(.sha256)
    for source in state.sources where Self.isTheirs(source.name) {
      let name = source.name == Self.chunk ? "" : name(of: source.name)
      hasher.update(Array("\(name)\0\(source.text.count)\0".utf8))
      hasher.update(source.text)
    }
    return Hex.encode(hasher.finish())
  }

  /// An error of the interpreter's as a mistake in the script.
  func problem(_ error: LuaError) -> Problem {
    // An error behind a tail call, whose line is not known, has the name alone before it.
    let start = "\(Self.chunk): "
    let isPlaceless = error.message.hasPrefix(start)
    let words = isPlaceless ? String(error.message.dropFirst(start.count)) : error.message
    let message = words.replacing("\(Self.chunk):", with: "line ")
    let isOurs = error.file == Self.chunk || error.file.hasPrefix("/")
    let own =
      error.file == Self.chunk
      ? self.text : isOurs ? (try? WrittenText.read(error.file, as: "script")) ?? [] : []
    return Problem(
      file: isOurs ? name(of: error.file) : path, line: isOurs ? error.line : 0,
      message: ScriptMessage.text(
        ScriptMessage.explained(message, line: error.line, of: own)))
  }
}

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

import CoreDataStore
internal import Foundation
internal import Lua

/// A Lua file of tests, evaluated: what it describes, and the functions that stay in Lua.
final class TestFile {
  /// The file, as mistakes name it.
  let path: String
  /// The folder that the paths in it are relative to.
  let folder: String
  private(set) var tests: [TestDescription] = []
  private let state: LuaState
  private let prelude: LuaReference

  /// What describing tests never needs more of; texts of 10 MB may be among the data.
  private static let limits = LuaLimits(
    memory: 512 << 20, time: .seconds(60), instructions: 2_000_000_000)

  /// Evaluates a file.
  ///
  /// - Throws: ``PipelineFileError`` with everything that is wrong with it.
  init(path: String) throws {
    self.path = path
    do {
      let file = try ScriptFile(path: path)
      folder = file.folder
      (state, prelude, tests) = try ScriptThread.lend { try Self.load(file) }
    } catch let problem as Problem {
      throw PipelineFileError([problem])
    }
  }

  private static func load(
    _ file: ScriptFile
  ) throws -> (LuaState, LuaReference, [TestDescription]) {
    do {
      let state = try LuaState(limits: limits)
      try state.allowModules(in: file.folder)
      try defineHost(in: state)
      let prelude = try state.load(TestPrelude.text, name: TestPrelude.name).callKeepingResult()
      try state.define(TestPrelude.module, as: nil)
      let words = try prelude.field("words")
      for word in TestPrelude.words { try state.define(word, as: words.field(word)) }
      let result = try state.load(file.text, name: ScriptFile.chunk).callKeepingResult()
      let entries = try prelude.field("all").call(.boolean(true)).first?.table?.list ?? []
      if entries.isEmpty, result.kind == .table { throw notTests(file) }
      var reader = TestReader(file)
      let tests = reader.tests(entries)
      guard reader.problems.isEmpty else { throw PipelineFileError(reader.problems) }
      return (state, prelude, tests)
    } catch let error as LuaError {
      throw meant(file.problem(error))
    }
  }

  /// The mistake of a word by which other tools begin a test.
  private static func meant(_ problem: Problem) -> Problem {
    let words = /unknown name '(test|it|describe|spec)'/
    guard let word = problem.message.prefixMatch(of: words)?.1 else { return problem }
    return Problem(
      file: problem.file, line: problem.line,
      message: "unknown name '\(word)'; a test is a case, a property or a migration: "
        + #"case "name" { given = { ... }, expect = { ... } }"#)
  }

  /// The mistake of a script that was named in the place of its tests.
  private static func notTests(_ file: ScriptFile) -> Problem {
    let name = URL(filePath: file.path).deletingPathExtension().lastPathComponent
    return Problem(
      file: file.path, line: 0,
      message: "the file returns a table: it is a script, and no file of tests. Tests of it are "
        + "in a file of their own, \(name)\(TestFiles.ending), which names it: script "
        + "\(LuaText.quoted("\(name).lua")) { ... }; 'pipeline test' without a file runs all "
        + "that lie below this folder")
  }

  private static func defineHost(in state: LuaState) throws {
    try state.define("line", in: TestPrelude.module) { [unowned state] _ in
      [.integer(Int64(place(in: state)))]
    }
    try state.define("refuse", in: TestPrelude.module) { [unowned state] arguments in
      throw LuaError(
        kind: .error, message: arguments.first?.text ?? "", file: ScriptFile.chunk,
        line: place(in: state))
    }
  }

  /// The line of the file that led to the function now running.
  private static func place(in state: LuaState) -> Int {
    var level = 1
    while let place = state.caller(level: level) {
      if ScriptFile.isTheirs(place.file) { return place.line }
      level += 1
    }
    return 0
  }

  /// Calls the function of a property; what it says is wrong, nil when nothing is.
  func check(_ test: TestDescription, _ arguments: [LuaValue]) throws -> String? {
    try ScriptThread.lend {
      do {
        let values = [.integer(Int64(test.place))] + arguments
        let results = try prelude.field("check").call(values.map(LuaArgument.value))
        switch results.first {
        case .boolean(false): return results.dropFirst().first?.text ?? "it does not hold"
        case nil, .null: return "its function returned nil; it returns true where it holds"
        default: return nil
        }
      } catch let error as LuaError {
        let problem = try ScriptFile(path: path).problem(error)
        return "\(problem)"
      }
    }
  }
}

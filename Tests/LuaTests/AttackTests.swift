import Foundation
import Lua
import TestSupport
import Testing

@Suite("Attacks")
struct AttackTests {
  /// A short time where it is time that must stop the script, ample time for everything else.
  static func limits(for ending: Attack.Ending? = nil) -> LuaLimits {
    if case .stop(.time) = ending { return LuaLimits(time: .milliseconds(200)) }
    return LuaLimits(time: .seconds(ending == nil ? 1 : 60))
  }

  /// Host functions of the kinds that real ones are, under the names scripts here call them by.
  static func define(_ state: LuaState) throws {
    struct Refusal: Error, CustomStringConvertible { let description: String }
    for (name, module) in [("add", "host"), ("host_add", nil)] {
      try state.define(name, in: module) { arguments in
        guard arguments.count == 2, let a = arguments[0].integer, let b = arguments[1].integer
        else { throw Refusal(description: "host.add takes two integers") }
        return [.integer(a &+ b)]
      }
    }
    for (name, module) in [("big", "host"), ("host_big", nil)] {
      try state.define(name, in: module) { _ in
        [.string([UInt8](repeating: 120, count: 70 << 20))]
      }
    }
    try state.define("again", in: "host") { [unowned state] _ in
      try state.run("return host.again()", name: "again.lua")
    }
  }

  @Test("each attack ends as a safe host ends it", arguments: Attack.all)
  func attack(_ attack: Attack) throws {
    let state = try LuaState(limits: Self.limits(for: attack.ending))
    try Self.define(state)
    let started = ContinuousClock.now
    let outcome = Result { try AttackRunner(state).run(attack.script) }
    let seconds = (ContinuousClock.now - started) / .seconds(1)
    print(AttackRunner.row(attack.name, outcome, seconds: seconds))
    switch (attack.ending, outcome) {
    case (.result(let expected), .success(let values)): #expect(values.first ?? .null == expected)
    case (.error(let fragment), .failure(let error as LuaError)):
      #expect(error.kind == .error)
      #expect(fragment.isEmpty || error.message.contains(fragment), "\(error)")
      #expect(error.message.utf8.count <= 2000)
    case (.stop(let kind), .failure(let error as LuaError)):
      #expect(error.kind == kind, "\(error)")
      #expect(error.file == "attack.lua")
      // The stack cannot be read while Lua 5.4.5 and later enlarge it; this one ends just then.
      #expect(error.line > 0 || error.message.contains("__call"))
      #expect(throws: LuaError.self, "a stopped state stays stopped") {
        try state.run("return 1", name: "after.lua")
      }
    default: Issue.record("\(attack.name) ended otherwise: \(outcome)")
    }
  }

  /// Those of the shared attacks whose headers ask for an error or a stop, by their numbers.
  static let mustFail: Set<String> = [
    "01", "02", "04", "05", "06", "07", "08", "10", "11", "13", "15", "17", "18", "19", "21", "22",
    "26", "28", "34", "36", "37", "38", "42", "46", "48", "50", "51", "53", "55", "56", "57", "59",
    "61", "62", "63", "68", "70",
  ]

  @Test(
    "the shared attacks end within their limits, and the process continues",
    .enabled(if: OutsideMaterial.attacks.isThere, "set PIPELINE_ATTACKS to the attacks' folder"))
  func sharedAttacks() throws {
    let folder = try #require(OutsideMaterial.attacks.folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".lua") }.sorted()
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let state = try LuaState(limits: Self.limits())
      try Self.define(state)
      try state.allowModules(in: folder.path)
      let started = ContinuousClock.now
      let outcome = Result { try AttackRunner(state).run(text) }
      let seconds = (ContinuousClock.now - started) / .seconds(1)
      print(AttackRunner.row(file, outcome, seconds: seconds))
      // Generous: what is checked is that it ends, not how fast the machine is.
      #expect(seconds < 30, "\(file) did not end")
      if Self.mustFail.contains(String(file.prefix(2))) {
        #expect(throws: LuaError.self, "\(file)") { try outcome.get() }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: "/tmp/pwned"))
  }
}

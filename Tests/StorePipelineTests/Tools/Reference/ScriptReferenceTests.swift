import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import TestSupport
import Testing

@Suite("The reference of functions for scripts", .temporaryFolder)
struct ScriptReferenceTests {
  /// The message that a script of the sample's notes ends with; nil when it ends well.
  private func failure(_ fields: String) async throws -> (message: String?, sample: RunSample) {
    let sample = try RunSample()
    // An example may leave out what the pipeline keeps.
    let pipeline = try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
      .replacing(#"drop { "Note.done" }"#, with: #"accept_loss = { "*" }"#)
    try Data(pipeline.utf8).write(to: URL(filePath: sample.path("notes.pipeline")))
    let priority = fields.contains("attributes =") ? "" : "attributes = { priority = 0 },"
    try Data("return { \(priority)\n\(fields)\n}".utf8)
      .write(to: URL(filePath: sample.path("notes_priority.lua")))
    do {
      try await sample.run()
      return (nil, sample)
    } catch let failure as ScriptFailure {
      return (failure.message, sample)
    }
  }

  @Test("each value that an example says it gives is what it gives")
  func values() async throws {
    var checks = ""
    for function in ScriptReference.functions {
      guard case .value(let call, let gives) = function.example else { continue }
      // A build without the trait has no pictures.
      let asks = function.module == "image" ? "image and " : ""
      checks += """
        if \(asks)not same((\(call)), \(gives)) then wrong[#wrong + 1] = '\(function.name)' end

        """
    }
    try Data("return function(n) return 2 * n end".utf8)
      .write(to: TemporaryFolder.url.appending(path: "double.lua"))
    // A function requires only what the file has loaded.
    let text = """
      related = require("double") and nil,
      begin = function(ctx)
        local wrong = {}
        local function same(a, b)
          if type(a) ~= "table" or type(b) ~= "table" then return a == b end
          for key in pairs(a) do if not same(a[key], b[key]) then return false end end
          for key in pairs(b) do if a[key] == nil then return false end end
          return true
        end
        \(checks)
        if #wrong > 0 then ctx.fail(table.concat(wrong, ", ")) end
      end,
      """
    #expect(checks.split(separator: "\n").count > 35)
    #expect(try await failure(text).message == nil)
  }

  private static let scripts = ScriptReference.functions.filter { function in
    if case .value = function.example { false } else { true }
  }.map(\.name)

  private func function(_ name: String) throws -> ScriptFunction {
    try #require(ScriptReference.functions.first { $0.name == name })
  }

  @Test("each script of an example does what it says", arguments: scripts)
  func script(name: String) async throws {
    switch try function(name).example {
    case .value: return
    case .script(let text, let leaves, let count):
      let (message, sample) = try await failure(text)
      #expect(message == nil)
      let model = try ModelFile(sample.path("Notes.xcdatamodeld")).model(named: "Notes 2")
      #expect(try Store(sample.store).number("count(\(leaves))", as: [model]) == count)
    case .failure(let text, let expected):
      #expect(try await failure(text).message?.contains(expected) == true)
    }
  }

  @Test("no function of the sandbox is left out, and none is made up")
  func sandbox() async throws {
    let text = """
      begin = function(ctx)
        local standard = { string = true, table = true, math = true, utf8 = true, _G = true }
        local names = { "sha256" }
        for library, members in pairs(_G) do
          if type(members) == "table" and not standard[library] and library ~= "params" then
            for name in pairs(members) do names[#names + 1] = library .. "." .. name end
          end
        end
        ctx.fail(table.concat(names, " "))
      end,
      """
    let names = try await failure(text).message.map {
      Set($0.split(separator: " ").map(String.init))
    }
    let hasPictures = names?.contains("image.size") == true
    let modules = ScriptReference.functions.filter {
      $0.module != "ctx" && !["from", "require"].contains($0.name)
        && ($0.module != "image" || hasPictures)
    }
    #expect(names == Set(modules.map(\.name)))
    #expect(Set(ScriptReference.functions.map(\.name)).count == ScriptReference.functions.count)
  }

  @Test("no word of the context is left out, and none is made up")
  func context() async throws {
    let text = #"begin = function(ctx) return ctx.nothing end,"#
    #expect(try await failure(text).message?.contains("there is no 'ctx.nothing'") == true)
    let functions = ScriptReference.functions.filter { $0.module == "ctx" }.map(\.name)
    let names = functions + ScriptReference.contextFields.map { "ctx.\($0.name)" }
    let words = try names.map { try #require($0.split(separator: ".").last.map(String.init)) }
    #expect(Set(words) == Set(try ScriptPreludeWords.all()))
  }

  @Test(
    "every function and parameter is described", arguments: ScriptReference.functions.map(\.name))
  func described(name: String) throws {
    let function = try function(name)
    #expect(function.text.hasSuffix("."))
    #expect(function.parameters.allSatisfy { !$0.type.isEmpty && !$0.name.isEmpty })
    #expect(FunctionPage.markdown.contains("#### \(function.name)\n"))
  }
}

import Foundation
import Lua
import TestSupport
import Testing

@Suite("require", .temporaryFolder)
struct RequireTests {
  private func write(_ text: String, _ path: String) throws {
    let url = TemporaryFolder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func state() throws -> LuaState {
    let state = try LuaState()
    try state.allowModules(in: TemporaryFolder.url.path)
    return state
  }

  @Test("a module is loaded once, from the folder or below it")
  func loads() throws {
    try write("return { n = 1 }", "a.lua")
    try write("return require('a')", "deep/er.lua")
    let state = try state()
    let result = try state.run(
      "return require('a').n, require('deep.er') == require('a')", name: "m.lua")
    #expect(result == [1, true])
    #expect(
      state.sources.map { $0.name.split(separator: "/").last } == ["m.lua", "a.lua", "er.lua"])
  }

  @Test("a module that returns nothing is loaded all the same")
  func nothing() throws {
    try write("x = 1", "a.lua")
    #expect(try state().run("return require('a')", name: "m.lua") == [true])
  }

  @Test("an error inside a module has the module's file and line")
  func error() throws {
    try write("local a = 1\nerror('no')", "a.lua")
    let error = #expect(throws: LuaError.self) {
      try state().run("require('a')", name: "m.lua")
    }
    #expect(error?.file.hasSuffix("/a.lua") == true)
    #expect(error?.line == 2)
    #expect(error?.sourceLine == "error('no')")
  }

  @Test("modules that require each other are an error, not a loop")
  func circle() throws {
    try write("return require('b')", "a.lua")
    try write("return require('a')", "b.lua")
    let error = #expect(throws: LuaError.self) {
      try state().run("return require('a')", name: "m.lua")
    }
    #expect(
      error?.message
        == "module 'a' requires itself, by way of others perhaps, or it has failed to load before")
  }

  @Test("a module's mistake is reported with the module's file and line, each time it is asked for")
  func mistake() throws {
    try write("return 1 +", "a.lua")
    let lua = try state()
    let error = #expect(throws: LuaError.self) {
      try lua.run("\nreturn require('a')", name: "m.lua")
    }
    #expect(error?.file.hasSuffix("/a.lua") == true)
    #expect(error?.line == 1)
    #expect(error?.message.hasPrefix("unexpected symbol") == true)
    #expect(error?.sourceLine == "return 1 +")
    let again = #expect(throws: LuaError.self) { try lua.run("return require('a')", name: "n.lua") }
    #expect(again?.message.contains("failed to load before") == true)
  }

  @Test("a link that leads out of the folder is not followed")
  func link() throws {
    let outside = FileManager.default.temporaryDirectory
      .appending(path: "outside-\(UUID().uuidString).lua")
    try Data("return 1".utf8).write(to: outside)
    defer { try? FileManager.default.removeItem(at: outside) }
    try FileManager.default.createSymbolicLink(
      at: TemporaryFolder.url.appending(path: "linked.lua"), withDestinationURL: outside)
    let error = #expect(throws: LuaError.self) {
      try state().run("return require('linked')", name: "m.lua")
    }
    #expect(error?.message == "module 'linked' is not in the script's folder (linked.lua)")
  }

  @Test("a folder, a pipe and a file too large are refused, none is waited for")
  func kinds() throws {
    try write("", "folder.lua/inside.txt")
    try write(String(repeating: "-", count: (1 << 20) + 1), "large.lua")
    #expect(unsafe mkfifo(TemporaryFolder.url.appending(path: "pipe.lua").path, 0o600) == 0)
    for name in ["folder", "large", "pipe"] {
      let error = #expect(throws: LuaError.self) {
        try state().run("return require('\(name)')", name: "m.lua")
      }
      #expect(error?.message == "the module's file is not a regular file of at most 1024 KiB")
    }
  }

  @Test("bytecode in a module's file is refused")
  func bytecode() throws {
    try write("\u{1B}Lua", "a.lua")
    #expect(throws: LuaError.self) { try state().run("require('a')", name: "m.lua") }
  }

  @Test("once modules are closed, only those that are loaded are given")
  func closed() throws {
    try write("return 1", "early.lua")
    try write("return 2", "late.lua")
    let state = try state()
    try state.run("require('early')", name: "m.lua")
    state.closeModules()
    #expect(try state.run("return require('early')", name: "m.lua") == [1])
    let error = #expect(throws: LuaError.self) {
      try state.run("return require('late')", name: "m.lua")
    }
    #expect(error?.message.contains("outside all functions") == true)
    #expect(state.sources.count { $0.name.hasSuffix("/late.lua") } == 0)
  }

  @Test("a folder that is not there is an error")
  func noFolder() throws {
    #expect(throws: LuaError.self) { try LuaState().allowModules(in: "/no/such/folder") }
  }
}

import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("The places of many stores", .temporaryFolder)
struct FleetStoreTests {
  private struct Case: CustomTestStringConvertible {
    var paths: [String]
    var names: [String]
    var testDescription: String { paths.joined(separator: " ") }
  }

  private static let cases = [
    Case(paths: ["/s/a.sqlite"], names: ["a.sqlite"]),
    Case(paths: ["/s/a.sqlite", "/s/b.sqlite"], names: ["a.sqlite", "b.sqlite"]),
    Case(paths: ["/s/1/N", "/s/2/N"], names: ["1/N", "2/N"]),
    Case(paths: ["/s/1/N", "/s/N"], names: ["1/N", "N"]),
    Case(paths: ["/s/../t/1/N", "/t/./2/N"], names: ["1/N", "2/N"]),
    Case(paths: ["/s12/N", "/s1/N"], names: ["s12/N", "s1/N"]),
    Case(paths: ["N", "x/N"], names: ["N", "x/N"]),
  ]

  @Test("a store is known by what tells it from the others", arguments: cases)
  private func names(case: Case) throws {
    var options = RunOptions(output: "out", report: "r/")
    options.work = "w"
    let stores = try FleetStore.list(`case`.paths, options)
    #expect(stores.map(\.options.output) == `case`.names.map { "out/\($0)" })
    #expect(stores.map(\.options.report) == `case`.names.map { "r/\($0).html" })
    #expect(stores.map(\.options.work) == `case`.names.map { "w/\($0).pipeline" })
    #expect(stores.map(\.path) == `case`.paths)
  }

  @Test("without folders the places are the runs' own") func own() throws {
    #expect(try FleetStore.list(["a", "b"]).allSatisfy { $0.options == RunOptions() })
  }

  @Test("the places of a part are those that its stores have in the whole") func part() throws {
    let all = ["/s/1/N", "/s/2/N", "/s/2/M"]
    let options = RunOptions(output: "out")
    let stores = try FleetStore.list(["/s/2/N"], options, among: all)
    #expect(stores.map(\.options.output) == ["out/2/N"])
  }

  /// Makes files in the place of stores, and gives back their paths.
  private static func lay(_ names: String...) throws -> [String] {
    try names.map { name in
      let file = TemporaryFolder.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
      return file.path
    }
  }

  private static func outputs(_ paths: [String]) throws -> [FleetStore] {
    let output = TemporaryFolder.url.appending(path: "out").path
    return try FleetStore.list(paths, RunOptions(output: output))
  }

  @Test("a store keeps its place in whatever list it is named, though a command was killed")
  func keptPlaces() throws {
    let paths = try Self.lay("s/1/N", "s/2/N", "s/N")
    try Data(#"{"store":"/cut"#.utf8).write(to: URL(filePath: Self.lay("out/.pipeline-places")[0]))
    let first = try Self.outputs(Array(paths.prefix(2)))
    try FleetStore.keepPlaces(of: first)
    #expect(try Self.outputs([paths[1]]).map(\.options.output) == [first[1].options.output])
    let second = try Self.outputs([paths[2], paths[0]])
    #expect(second.map(\.options.output).last == first[0].options.output)
    #expect(second[0].options.output?.hasSuffix("/out/N") == true)
  }

  @Test("a pipe where the places are noted is refused, and not waited for")
  func pipeOfPlaces() throws {
    let paths = try Self.lay("s/1/N", "out/other")
    try #require(NamedPipe.make(TemporaryFolder.url.appending(path: "out/.pipeline-places").path))
    let error = #expect(throws: Failure.self) { try Self.outputs([paths[0]]) }
    #expect(error?.what == "cannot read where stores have their places")
  }

  @Test("a place that another store has is not given away, unless that store is gone")
  func takenPlace() throws {
    let paths = try Self.lay("s/1/N", "s/2/N")
    let first = try Self.outputs([paths[0]])
    try FleetStore.keepPlaces(of: first)
    let second = try Self.outputs([paths[1]]).map(\.options.output)
    #expect(second[0]?.hasSuffix("/out\(paths[1])") == true, "\(second)")
    try FileManager.default.removeItem(atPath: paths[0])
    #expect(try Self.outputs([paths[1]]).map(\.options.output) == [first[0].options.output])
  }

  @Test("names that differ in how their characters are composed have places of their own")
  func composed() throws {
    let paths = try Self.lay("s/caf\u{E9}", "s/cafe\u{301}")
    let folder = TemporaryFolder.url.appending(path: "s").path
    // Disks of Apple systems take them for one name.
    guard try FileManager.default.contentsOfDirectory(atPath: folder).count == 2 else { return }
    for _ in 1...2 {
      let stores = try Self.outputs(paths)
      let names = stores.compactMap { $0.options.output?.split(separator: "/").last }
      #expect(names.map { $0.unicodeScalars.count } == [4, 5], "\(names)")
      try FleetStore.keepPlaces(of: stores)
    }
  }

  @Test("one file is taken once", arguments: ["a", "x/../a", "link", "hard", "folder/a"])
  func doubles(other: String) throws {
    let folder = TemporaryFolder.url
    let manager = FileManager.default
    let path = { (name: String) in folder.appending(path: name).path }
    try Data().write(to: folder.appending(path: "a"))
    try manager.createDirectory(atPath: path("x"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: path("link"), withDestinationPath: "a")
    try manager.createSymbolicLink(atPath: path("folder"), withDestinationPath: ".")
    try manager.linkItem(atPath: path("a"), toPath: path("hard"))
    let error = #expect(throws: Failure.self) {
      try FleetStore.list([path("a"), "\(folder.path)/\(other)"])
    }
    #expect(error?.kind == .misuse)
    #expect(error?.what == "cannot run several stores")
    let all = [path("a"), "\(folder.path)/\(other)"]
    for part in all { #expect(throws: Failure.self) { try FleetStore.list([part], among: all) } }
  }

  @Test("all names of stores that were named before are counted") func manyDoubles() throws {
    let paths = try Self.lay("s/a", "s/b")
    let error = #expect(throws: Failure.self) { try FleetStore.list(paths + paths + paths) }
    #expect(error?.why == "It is named twice. In all, 4 names are repetitions.")
  }

  @Test("stores that are not there are distinguished by their paths") func missing() throws {
    #expect(try FleetStore.list(["/none/a", "/none/b"]).count == 2)
    #expect(throws: Failure.self) { try FleetStore.list(["/none/a", "/none/./a"]) }
  }
}

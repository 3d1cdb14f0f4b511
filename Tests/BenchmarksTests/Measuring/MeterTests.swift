import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite("The meter") struct MeterTests {
  private let meter = Meter(in: BuiltPrograms.folder)
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  @Test("time is the whole command's, with what it waits for")
  func time() throws {
    let measurement = try meter.measure(["sleep", "0.2"])
    #expect(measurement.seconds >= 0.2)
    #expect(measurement.processor < measurement.seconds)
  }

  @Test("memory is the command's own, not that of the program that measures")
  func memory() throws {
    // This process holds far more than a command does, and than the meter, which is 19 MB when it
    // was built with a sanitizer.
    let small = try meter.measure(["true"])
    #expect(small.peak > 0)
    #expect(small.peak < 32 * 1_048_576)
    let large = try meter.measure(["sh", "-c", "x=$(head -c 40000000 /dev/zero | tr '\\0' x); :"])
    #expect(large.peak > 40_000_000)
  }

  @Test("a folder that is watched shows what it took at most, and a command what was its own")
  func watch() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(count: 1_000_000).write(to: folder.appending(path: "before"))
    let file = folder.appending(path: "file").path
    let words = "head -c 3000000 /dev/zero > '\(file)'; sync '\(file)'; sleep 0.3; rm '\(file)'"
    let measurement = try meter.measure(["sh", "-c", words], watching: folder)
    #expect(try (2_900_000..<3_500_000).contains(#require(measurement.extra)))
    if FileManager.default.fileExists(atPath: "/proc/self/smaps_rollup") {
      #expect(try #require(measurement.own) > 0)
      #expect(try #require(measurement.own) < measurement.peak)
    }
    #expect(try meter.measure(["true"]).extra == nil)
  }

  @Test("a command that fails is an error with its status and its last words")
  func failure() throws {
    let error = #expect(throws: BenchError.self) {
      try meter.measure(["sh", "-c", "echo nothing; echo no room >&2; exit 7"])
    }
    #expect(error?.description == "status 7: no room")
  }

  @Test("so is one that is not there")
  func missing() throws {
    let error = #expect(throws: BenchError.self) { try meter.measure(["no-such-program"]) }
    #expect(error?.description.contains("status 127: no-such-program") == true)
  }

  @Test("one that is killed counts as failed")
  func killed() throws {
    let error = #expect(throws: BenchError.self) { try meter.measure(["sh", "-c", "kill -9 $$"]) }
    #expect(error?.description.hasPrefix("status 137") == true)
  }
}

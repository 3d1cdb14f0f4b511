import Testing

@testable import Benchmarks

@Suite("A measurement") struct MeasurementTests {
  @Test("a line of the meter is read")
  func line() throws {
    let (status, measurement) = try #require(Measurement.reading("3 1.5 0.25 2048 512\n"))
    #expect(status == 3)
    #expect(measurement == Measurement(seconds: 1.5, processor: 0.25, peak: 2048, written: 512))
  }

  @Test("a line of one that watched has disk and memory, too")
  func watched() throws {
    let (_, measurement) = try #require(Measurement.reading("0 1 1 2048 512 4096 1024"))
    #expect(measurement.written == 512)
    #expect(measurement.extra == 4096)
    #expect(measurement.own == 1024)
  }

  @Test(
    "anything else is not",
    arguments: ["", "0 1 2 3", "0 1 2 3 4 5", "a 1 2 3 4", "0 1 2 3 4 5 b"])
  func other(_ line: String) {
    #expect(Measurement.reading(line) == nil)
  }
}

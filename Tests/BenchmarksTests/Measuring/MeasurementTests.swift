import Testing

@testable import Benchmarks

@Suite("A measurement") struct MeasurementTests {
  @Test("a line of the meter is read")
  func line() throws {
    let (status, measurement) = try #require(Measurement.reading("3 1.5 0.25 2048 512\n"))
    #expect(status == 3)
    #expect(measurement == Measurement(seconds: 1.5, processor: 0.25, peak: 2048, written: 512))
  }

  @Test("anything else is not", arguments: ["", "0 1 2 3", "0 1 2 3 4 5", "a 1 2 3 4"])
  func other(_ line: String) {
    #expect(Measurement.reading(line) == nil)
  }
}

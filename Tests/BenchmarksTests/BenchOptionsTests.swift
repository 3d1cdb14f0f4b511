import Testing

@testable import Benchmarks

@Suite("Options of the benchmarks") struct BenchOptionsTests {
  @Test("what is left empty stays as it is, as variables of the Makefile are")
  func empty() throws {
    let options = try BenchOptions(["size=", "filter=", "rows=", "rounds="])
    #expect(options.rows == 200_000)
    #expect(options.rounds == 5)
    #expect(!options.isFull)
    #expect(options.wants("M1"))
  }

  @Test("the full size is a million rows, and growth up to ten; a number given counts more")
  func full() throws {
    let options = try BenchOptions(["size=full", "rows=1000"])
    #expect(options.isFull)
    #expect(options.rows == 1000)
    #expect(options.sizes == [100_000, 1_000_000, 10_000_000])
  }

  @Test("without sizes of its own, growth is looked at up to the rows")
  func sizes() throws {
    #expect(try BenchOptions(["rows=5000"]).sizes == [500, 5000])
  }

  @Test("a filter is a part of a name, in either case")
  func filter() throws {
    let options = try BenchOptions(["filter=m1"])
    #expect(options.wants("M1 wide"))
    #expect(!options.wants("M2"))
  }

  @Test(
    "what is no option is refused",
    arguments: ["rows", "rows=many", "rows=0", "rows=-1", "colour=red", "colour=1"])
  func mistakes(_ word: String) {
    #expect(throws: BenchError.self) { try BenchOptions([word]) }
  }
}

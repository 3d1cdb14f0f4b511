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
    #expect(options.entities == [10, 1000])
    #expect(options.stores == 10_000)
  }

  @Test("what is reached is recorded if that is asked for, at either size")
  func record() throws {
    #expect(try !BenchOptions(["size=full"]).records)
    #expect(try BenchOptions(["size=record"]).records)
    let both = try BenchOptions(["size=full,record"])
    #expect(both.records && both.isFull)
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

  @Test("a goal's number or id asks for the parts that the goal needs, and for nothing else")
  func goal() throws {
    let options = try BenchOptions(["filter=p13"])
    #expect(
      Bench.parts.filter(options.wants) == ["M1 traced", "M2 traced", "M3 traced", "small traced"])
    #expect(Set(Findings().goals.filter(options.wants).map(\.number)) == ["P13"])
    #expect(try Bench.parts.filter(BenchOptions(["filter=P1"]).wants) == ["M1"])
    #expect(try Bench.parts.filter(BenchOptions(["filter=P16 CPU"]).wants) == ["small", "fleet"])
  }

  @Test("a part's name asks for the goals that need it")
  func part() throws {
    let options = try BenchOptions(["filter=fleet"])
    let goals = Findings().goals.filter(options.wants)
    #expect(goals.map(\.id) == ["P16 CPU", "P17 CPU", "P17 peer", "P17 jobs"])
  }

  @Test("a part that is left out is not asked for")
  func skipped() throws {
    var options = try BenchOptions([])
    options.skipped = ["growth"]
    #expect(!options.wants("growth"))
    #expect(options.wants("entities"))
  }

  @Test(
    "what is no option is refused",
    arguments: [
      "rows", "rows=many", "rows=0", "rows=-1", "colour=red", "colour=1", "size=large",
    ])
  func mistakes(_ word: String) {
    #expect(throws: BenchError.self) { try BenchOptions([word]) }
  }
}

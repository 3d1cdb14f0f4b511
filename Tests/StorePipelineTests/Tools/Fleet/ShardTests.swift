import StorePipeline
import Testing

@Suite("A part of a list of stores")
struct ShardTests {
  @Test("line k belongs to part ((k - 1) mod N) + 1") func lines() throws {
    let lines = Array(1...10)
    for number in 1...3 {
      let shard = try #require(StoreList.Shard("\(number)/3"))
      #expect(shard.part(of: lines) == lines.filter { ($0 - 1) % 3 + 1 == number })
    }
  }

  @Test("the parts together are the list, each line once") func together() throws {
    let lines = Array(1...1000)
    let parts = try (1...64).map { try #require(StoreList.Shard("\($0)/64")).part(of: lines) }
    #expect(parts.flatMap(\.self).sorted() == lines)
  }

  @Test("a part behind the end of a list is empty") func behind() throws {
    #expect(try #require(StoreList.Shard("5/64")).part(of: ["a", "b"]).isEmpty)
    #expect(try #require(StoreList.Shard("1/1")).part(of: ["a", "b"]) == ["a", "b"])
  }

  @Test(
    "what is no part is refused",
    arguments: [
      "", "3", "/", "3/", "/64", "0/64", "65/64", "-1/64", "+1/64", "1/+64", "1/2/3", "a/b", "1 /2",
      "1/0",
    ])
  func refused(text: String) {
    #expect(StoreList.Shard(text) == nil)
  }
}

import Testing

@testable import StorePipeline

@Suite("Words of a Lua text")
struct LuaTokensTests {
  private static func line(of path: [String], _ text: String, at line: Int = 1) -> Int {
    LuaTokens(Array(text.utf8)).line(of: path, in: "stage", at: line)
  }

  @Test("a field is found on its own line, and inside its own table")
  func fields() {
    let text = """
      stage "a" { -- chunk = 1
        [[chunk = 2]],
        inner { chunk = 3 },
        other = chunk == 4,
        chunk = {
          rows = 5,
          ["bytes"] = 6,
        },
      }
      stage "b" {
        rows = 7,
      }
      """
    #expect(Self.line(of: ["chunk"], text) == 5)
    #expect(Self.line(of: ["chunk", "rows"], text) == 6)
    #expect(Self.line(of: ["chunk", "bytes"], text) == 7)
    #expect(Self.line(of: ["other"], text) == 4)
    #expect(Self.line(of: ["rows"], text) == 1)
    #expect(Self.line(of: ["rows"], text, at: 10) == 11)
  }

  @Test("strings and comments of every form are passed over")
  func strings() {
    let text = """
      stage 'a' { --[==[ x = 1
        ]] x = 2 ]==] y = "\\"x = 3", z = '}',
        w = [=[
        x = 4 ]=],
        x = 5 }
      """
    #expect(Self.line(of: ["x"], text) == 5)
    #expect(Self.line(of: ["z"], text) == 2)
  }

  @Test(
    "a text that is not Lua has lines too", arguments: ["stage \"a", "stage [[", "stage {", "'\\"])
  func broken(text: String) {
    #expect(Self.line(of: ["x"], text) == 1)
  }
}

import Lua
import Testing

@testable import StorePipeline

@Suite("How far a stage in Lua has come")
struct StagePositionTests {
  @Test("what is saved is read again, the stage's state included")
  func saved() throws {
    var position = StagePosition()
    (position.passes, position.pass) = (3, "each Note")
    (position.end, position.total, position.rows) = (900, 800, 12)
    position.state = .table(LuaTable(fields: ["seen": .integer(7), "last": .text("é")]))
    #expect(try StagePosition(position.bytes()) == position)
    position.pass = nil
    #expect(try StagePosition(position.bytes()) == position)
  }

  @Test("what is no position is an error") func damaged() {
    #expect(throws: (any Error).self) { try StagePosition([1, 2, 3]) }
  }
}

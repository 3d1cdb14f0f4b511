import CoreDataStore
import Foundation
import Testing

@Suite("Model constant")
struct ModelConstantTests {
  @Test("sixteen bytes are a UUID, in the order they are written") func uuid() throws {
    let text = "0F8FAD5B-D9CB-469F-A165-70867728950E"
    let uuid = try #require(UUID(uuidString: text))
    let bytes: [UInt8] = [
      0x0F, 0x8F, 0xAD, 0x5B, 0xD9, 0xCB, 0x46, 0x9F, 0xA1, 0x65, 0x70, 0x86, 0x77, 0x28, 0x95,
      0x0E,
    ]
    #expect(ModelConstant(uuid: bytes) == .uuid(uuid))
    #expect(
      ModelConstant(uuid: [UInt8](repeating: 0, count: 16))?.text
        == "00000000-0000-0000-0000-000000000000")
  }

  @Test("any other number of bytes is none", arguments: [0, 15, 17])
  func size(count: Int) {
    #expect(ModelConstant(uuid: [UInt8](repeating: 1, count: count)) == nil)
  }
}

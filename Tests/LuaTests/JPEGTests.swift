import Foundation
import Lua
import Testing

#if Images
@Suite("Thumbnails of JPEGs")
struct JPEGTests {
  /// What a script returns that is given pictures.
  private static func run(
    _ script: String, _ picture: [UInt8], _ other: [UInt8] = []
  ) throws -> [LuaValue] {
    try LuaState().load("local data, other = ...\n\(script)", name: "image.lua")
      .call(.string(picture), .string(other))
  }

  /// The thumbnail, or why there is none.
  private static func thumbnail(_ picture: [UInt8], side: Int = 20) throws -> LuaValue {
    let values = try run("return image.thumbnail(data, \(side))", picture)
    return try #require(values.first { $0 != .null })
  }

  private static func reason(_ picture: [UInt8]) throws -> String? {
    try run("return image.thumbnail(data, 20)", picture).last?.text
  }

  @Test(
    "a picture is turned upright to its last pixel, however it was held",
    arguments: [UInt8(2), 3, 4, 5, 6, 7, 8], [20, 90])
  func orientation(orientation: UInt8, side: Int) throws {
    let picture = BlockPicture(columns: 40, rows: 24, components: 3)
    let upright = try Self.thumbnail(picture.jpeg, side: side)
    #expect(try Self.thumbnail(picture.turned(orientation), side: side) == upright)
    #expect(try Self.thumbnail(picture.turned(1), side: side) == upright)
  }

  @Test("an orientation that makes no sense counts for none", arguments: [UInt8(0), 9, 255])
  func nonsense(orientation: UInt8) throws {
    let picture = BlockPicture(columns: 4, rows: 2).jpeg
    let turned = SamplePicture.turned(picture, orientation: orientation)
    #expect(try Self.thumbnail(turned) == Self.thumbnail(picture))
  }

  @Test("a progressive picture is the same as any other", arguments: [1, 3])
  func progressive(components: Int) throws {
    var picture = BlockPicture(columns: 30, rows: 20, components: components)
    let plain = try Self.thumbnail(picture.jpeg)
    picture.isProgressive = true
    #expect(try Self.thumbnail(picture.jpeg) == plain)
    picture.bands = [1...5, 6...63]
    #expect(try Self.thumbnail(picture.jpeg) == plain)
  }

  @Test(
    "the sides are those that libvips gives",
    arguments: [
      (1, 1, 1), (1, 1, 40), (2, 9, 3), (5, 3, 20), (5, 3, 7), (46, 9, 30), (15, 296, 28),
      (130, 57, 165), (167, 123, 160), (16, 62, 53),
    ])
  func sides(columns: Int, rows: Int, side: Int) throws {
    for missing in [0, 1, 5] {
      var picture = BlockPicture(columns: columns, rows: rows, components: 3)
      picture.missing = missing
      let script = """
        local w, h = image.size(image.thumbnail(data, \(side)))
        local x, y = image.size(image.thumbnail(data, \(side), { format = "png" }))
        return w, h, x, y
        """
      let values = try Self.run(script, picture.jpeg)
      #expect(Array(values.prefix(2)) == Array(values.suffix(2)))
    }
  }

  @Test("what is large enough already is not blurred: block for block it is what it was")
  func same() throws {
    let picture = BlockPicture(columns: 9, rows: 5)
    let script = """
      local once = image.thumbnail(data, 72, { quality = 100 })
      return once == image.thumbnail(once, 72, { quality = 100 }), image.size(once)
      """
    #expect(try Self.run(script, picture.jpeg) == [true, 72, 40])
  }

  @Test("a grey picture stays grey, four inks become three colours")
  func components() throws {
    let grey = try Self.thumbnail(BlockPicture(columns: 8, rows: 8).jpeg)
    #expect(Self.count(in: grey) == 1)
    var inks = BlockPicture(columns: 8, rows: 8, components: 4)
    inks.segments = BlockPicture.segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
    #expect(try Self.count(in: Self.thumbnail(inks.jpeg)) == 3)
  }

  @Test("a profile that says sRGB changes nothing, another one changes the colours")
  func profiles() throws {
    var picture = BlockPicture(columns: 8, rows: 8, components: 3)
    let plain = try Self.thumbnail(picture.jpeg)
    picture.segments = SampleProfile.segment(SampleProfile.usual)
    #expect(try Self.thumbnail(picture.jpeg) == plain)
    picture.segments = SampleProfile.segment(SampleProfile.swapped)
    let script = "local small = image.thumbnail(data, 20) return small ~= nil, small == other"
    let bytes = try #require(plain.bytes)
    #expect(try Self.run(script, picture.jpeg, bytes) == [true, false])
  }

  @Test("what a picture says of itself is left out")
  func metadata() throws {
    var picture = BlockPicture(columns: 8, rows: 8, components: 3)
    let plain = try Self.thumbnail(picture.jpeg)
    picture.segments =
      BlockPicture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
      + BlockPicture.segment(0xed, Array("Photoshop 3.0\0".utf8))
      + BlockPicture.segment(0xfe, Array("a remark".utf8))
    #expect(try Self.thumbnail(picture.jpeg) == plain)
  }

  @Test("a picture that is cut short is refused, wherever it ends", arguments: [false, true])
  func cut(isProgressive: Bool) throws {
    var picture = BlockPicture(columns: 12, rows: 9, components: 3)
    picture.isProgressive = isProgressive
    let whole = picture.jpeg
    for length in stride(from: 2, to: whole.count - 1, by: 3) {
      let values = try Self.run("return image.thumbnail(data, 20)", Array(whole.prefix(length)))
      #expect(values.first == .null && values.last?.text?.isEmpty == false)
    }
  }

  @Test("a picture whose data ends before its last block is refused, and not filled with grey")
  func grey() throws {
    let whole = BlockPicture(columns: 12, rows: 9).jpeg
    let early = Array(whole.dropLast(30)) + [0xff, 0xd9]
    #expect(try Self.reason(early)?.contains("premature end of data") == true)
  }

  @Test("bytes that nobody wants do no harm at the end")
  func tail() throws {
    let whole = BlockPicture(columns: 12, rows: 9).jpeg
    let plain = try Self.thumbnail(whole)
    #expect(try Self.thumbnail(whole + [1, 2, 3]) == plain)
    #expect(try Self.thumbnail(whole.dropLast(2) + [0, 0, 0xff, 0xd9]) == plain)
  }

  @Test("a picture that would fill the memory is refused before it is decoded")
  func bombs() throws {
    var picture = BlockPicture(columns: 2, rows: 2, components: 3)
    picture.claimed = (65_500, 65_500)
    #expect(try Self.reason(picture.jpeg) == "65500 x 65500 pixels are too many")
    picture.claimed = (16_000, 5_000)
    picture.isProgressive = true
    #expect(try Self.reason(picture.jpeg) == "it is decoded whole, and too large for that")
  }

  @Test("a picture that wants to be walked over again and again is refused")
  func scans() throws {
    var picture = BlockPicture(columns: 2, rows: 2, components: 3)
    picture.isProgressive = true
    picture.bands = (1...63).map { $0...$0 }
    #expect(try Self.reason(picture.jpeg) == "it has more than 100 scans")
    picture.bands = (1...20).map { $0...$0 } + [21...63]
    #expect(try Self.run("return image.size(image.thumbnail(data, 8))", picture.jpeg) == [8, 8])
  }

  /// How many components a JPEG has, by its frame.
  private static func count(in picture: LuaValue) -> UInt8? {
    guard let bytes = picture.bytes else { return nil }
    var place = 2
    while place + 9 < bytes.count {
      if bytes[place + 1] == 0xc0 { return bytes[place + 9] }
      place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
    }
    return nil
  }
}
#endif

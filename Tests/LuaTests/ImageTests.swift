import Foundation
import Lua
import Testing

#if Images
@Suite("The module image")
struct ImageTests {
  /// What a script returns that is given a picture.
  private static func run(_ script: String, _ picture: [UInt8]) throws -> [LuaValue] {
    try LuaState().load("local data = ...\n\(script)", name: "image.lua").call(.string(picture))
  }

  private static func jpeg(width: Int, height: Int) throws -> [UInt8] {
    let picture = SamplePicture.png(width: width, height: height)
    let made = try run("return image.thumbnail(data, 4000, { format = 'jpeg' })", picture)
    return try #require(made.first?.bytes)
  }

  @Test("size and format are read from the head")
  func head() throws {
    let script = "local w, h = image.size(data) return w, h, image.format(data)"
    #expect(
      try Self.run(script, SamplePicture.png(width: 30, height: 20)) == [30, 20, "png"])
    #expect(try Self.run(script, Self.jpeg(width: 30, height: 20)) == [30, 20, "jpeg"])
  }

  @Test(
    "a thumbnail keeps its form, in the format that was asked for or its own",
    arguments: ["jpeg", "png", "webp"])
  func formats(format: String) throws {
    let script = """
      local small = image.thumbnail(data, 10, { format = "\(format)", quality = 50 })
      local w, h = image.size(small)
      local same = image.thumbnail(small, 5)
      return w, h, image.format(small), image.format(same), (image.size(same))
      """
    let values = try Self.run(script, SamplePicture.png(width: 40, height: 20, alpha: true))
    #expect(values == [10, 5, .text(format), .text(format), 5])
  }

  @Test("a picture that is small enough does not grow")
  func small() throws {
    let picture = SamplePicture.png(width: 4, height: 2)
    #expect(try Self.run("return image.size(image.thumbnail(data, 100))", picture) == [4, 2])
  }

  @Test("what an orientation turns is turned", arguments: [UInt8(1), 3, 6, 8])
  func orientation(orientation: UInt8) throws {
    let picture = SamplePicture.turned(
      try Self.jpeg(width: 40, height: 20), orientation: orientation)
    let script = """
      local w, h = image.size(data)
      local small = image.thumbnail(data, 10)
      local sw, sh = image.size(small)
      return w, h, sw, sh
      """
    let upright: [LuaValue] = [40, 20, 10, 5], turned: [LuaValue] = [20, 40, 5, 10]
    #expect(try Self.run(script, picture) == (orientation >= 5 ? turned : upright))
  }

  @Test("the same picture is the same thumbnail each time")
  func repeats() throws {
    let picture = SamplePicture.png(width: 64, height: 64)
    #expect(
      try Self.run("return image.thumbnail(data, 9) == image.thumbnail(data, 9)", picture)
        == [true])
  }

  @Test(
    "what is no picture is nil and a reason",
    arguments: [
      "", "no picture", "\u{FFD8}", "GIF89a", "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "%PDF-1.4",
    ])
  func noPicture(text: String) throws {
    let script = """
      local a, why = image.size(data)
      local b, reason = image.thumbnail(data, 10)
      return a, b, type(why) == "string" and #why > 0, why == reason
      """
    #expect(try Self.run(script, Array(text.utf8)) == [nil, nil, true, true])
  }

  @Test("a picture that is cut short or damaged is nil and a reason, wherever it ends")
  func damaged() throws {
    let whole = try Self.jpeg(width: 300, height: 200)
    let png = SamplePicture.png(width: 200, height: 200)
    let script = "local small, why = image.thumbnail(data, 10) return small, type(why)"
    for picture in [whole, png] {
      for part in 1...9 {
        let cut = Array(picture.prefix(picture.count * part / 10))
        #expect(try Self.run(script, cut) == [nil, "string"])
      }
    }
    var noise = png
    for place in stride(from: 40, to: noise.count, by: 7) { noise[place] ^= 0x5a }
    #expect(try Self.run(script, noise) == [nil, "string"])
  }

  @Test("a picture that would fill the memory is refused before it is decoded")
  func bomb() throws {
    for (width, height) in [(60_000, 60_000), (2_000_000_000, 2_000_000_000), (16_000, 16_000)] {
      let picture = SamplePicture.png(width: 1, height: 1, claimed: (width, height))
      let values = try Self.run("return image.thumbnail(data, 10)", picture)
      #expect(values.first == .null && values.last?.text?.isEmpty == false)
    }
  }

  @Test(
    "wrong arguments are errors with words",
    arguments: [
      ("image.size(7)", "bad argument #1 to 'image.size' (string expected, got a number)"),
      ("image.thumbnail(data)", "bad argument #2 to 'image.thumbnail' (a whole number from 1"),
      ("image.thumbnail(data, 0)", "bad argument #2"),
      ("image.thumbnail(data, 1.5)", "bad argument"),
      ("image.thumbnail(data, 1/0)", "bad argument #2"),
      (
        "image.thumbnail(data, 9, 'png')", "bad argument #3 to 'image.thumbnail' (a table expected)"
      ),
      ("image.thumbnail(data, 9, { format = 'gif' })", "bad argument #3"),
      ("image.thumbnail(data, 9, { quality = 101 })", "bad argument #3"),
      ("image.thumbnail(data, 9, { size = 1 })", "bad argument #3"),
      ("image.resize(data)", "'image' has no 'resize'"),
    ])
  func mistakes(call: String, told: String) throws {
    let picture = SamplePicture.png(width: 2, height: 2)
    let error = #expect(throws: LuaError.self) { try Self.run("return \(call)", picture) }
    #expect(error?.message.hasPrefix(told) == true, "\(error?.message ?? "")")
  }

  @Test("many threads may ask at once")
  func threads() async throws {
    let picture = try Self.jpeg(width: 300, height: 200)
    let made = try await withThrowingTaskGroup(of: [LuaValue].self) { group in
      for _ in 0..<8 { group.addTask { try Self.run("return image.thumbnail(data, 20)", picture) } }
      return try await group.reduce(into: Set<[LuaValue]>()) { $0.insert($1) }
    }
    #expect(made.count == 1)
  }
}
#else
@Suite("The module image, when it is not built in")
struct ImageTests {
  @Test("a script can ask for it, and it is nil")
  func absent() throws {
    #expect(try LuaState().run("return image == nil", name: "image.lua") == [true])
  }
}
#endif

import ImageHost

/// `image.size(bytes)`, `image.format(bytes)` and `image.thumbnail(bytes, side, options)`: there
/// when the program was built with the trait `Images`, and otherwise `image` is nil.
///
/// A picture that cannot be read is no error: nil and the reason come back.
enum ImageModule: HelperModule {
  private static let module = "image"
  private static let formats = ["jpeg", "png", "webp"]

  /// Whether the program was built with pictures.
  static var isThere: Bool { ih_is_there() != 0 }

  /// The name and release of the library for JPEGs; nil where pictures were not built in.
  static var jpegVersion: String? {
    unsafe ih_jpeg_version().map { unsafe String(cString: $0) }
  }

  static func define(in state: LuaState) throws(LuaError) {
    guard isThere else { return }
    unsafe try define("size", in: state) { picture, _ in
      let facts = unsafe try look(picture)
      guard facts.isGood else { return [.null, .text(facts.problem)] }
      return [.integer(facts.width), .integer(facts.height)]
    }
    unsafe try define("format", in: state) { picture, _ in
      let facts = unsafe try look(picture)
      return facts.format.isEmpty ? [.null, .text(facts.problem)] : [.text(facts.format)]
    }
    unsafe try define("thumbnail", in: state) { picture, arguments in
      unsafe try thumbnail(picture, side: side(arguments[2]), options: arguments[3])
    }
  }

  private static func define(
    _ name: String, in state: LuaState,
    _ body: @escaping (UnsafeRawBufferPointer, ModuleArguments) throws -> [LuaValue]
  ) throws(LuaError) {
    let function = unsafe HostFunction(borrowing: { picture, values in
      let arguments = ModuleArguments(function: "\(module).\(name)", values: values)
      guard let picture = unsafe picture else { throw arguments.wrong(1, "string") }
      return unsafe try body(picture, arguments)
    })
    try state.define(name, in: module, function)
  }

  private static func side(_ value: LuaValue) throws -> Int32 {
    guard let side = value.number, (1...16_384).contains(side), side == side.rounded() else {
      throw ModuleError(
        "bad argument #2 to 'image.thumbnail' (a whole number from 1 to 16384 expected)")
    }
    return Int32(side)
  }

  private static func thumbnail(
    _ picture: UnsafeRawBufferPointer, side: Int32, options: LuaValue
  ) throws -> [LuaValue] {
    let choices = try Choices(options)
    var result = unsafe ih_thumbnail(
      picture.baseAddress, picture.count, side, choices.format, choices.quality)
    defer { unsafe ih_free(&result) }
    guard let made = unsafe result.bytes else {
      let problem = unsafe text(&result.problem)
      if unsafe result.lacks_library != 0 { throw ModuleError(problem) }
      return [.null, .text(problem)]
    }
    return [.string(unsafe Array(UnsafeRawBufferPointer(start: made, count: result.length)))]
  }
}

extension ImageModule {
  /// How a thumbnail is written.
  private struct Choices {
    var format: String?
    var quality: Int32 = 85

    init(_ value: LuaValue) throws {
      guard value != .null else { return }
      guard let table = value.table, table.list.isEmpty else { throw Self.wrong("a table") }
      for (key, value) in table.fields {
        switch key {
        case "format":
          guard let name = value.text, formats.contains(name) else {
            throw Self.wrong("format = \"jpeg\", \"png\" or \"webp\"")
          }
          format = name
        case "quality":
          guard let number = value.integer, (1...100).contains(number) else {
            throw Self.wrong("quality = 1 to 100")
          }
          quality = Int32(number)
        default: throw Self.wrong("format and quality alone")
        }
      }
    }

    private static func wrong(_ expected: String) -> ModuleError {
      ModuleError("bad argument #3 to 'image.thumbnail' (\(expected) expected)")
    }
  }

  /// What a picture says of itself.
  private struct Facts {
    var isGood = false
    var width: Int64 = 0
    var height: Int64 = 0
    var format = ""
    var problem = ""
  }

  private static func look(_ picture: UnsafeRawBufferPointer) throws -> Facts {
    var facts = ih_facts()
    let isGood = unsafe ih_look(picture.baseAddress, picture.count, &facts) != 0
    if facts.lacks_library != 0 { throw ModuleError(text(&facts.problem)) }
    return Facts(
      isGood: isGood, width: facts.width, height: facts.height,
      format: text(&facts.format), problem: text(&facts.problem))
  }

  /// A text that C holds in an array of its own.
  private static func text<Characters>(_ characters: inout Characters) -> String {
    unsafe withUnsafeBytes(of: &characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

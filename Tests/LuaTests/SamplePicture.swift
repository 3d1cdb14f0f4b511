import Foundation

/// Pictures for tests, made byte by byte.
enum SamplePicture {
  /// A PNG of one colour; `claimed` is the size that its head says, where that is a lie.
  static func png(
    width: Int, height: Int, claimed: (width: Int, height: Int)? = nil, alpha: Bool = false
  ) -> [UInt8] {
    let (w, h) = claimed ?? (width, height)
    let head = big(UInt32(w)) + big(UInt32(h)) + [8, alpha ? 6 : 2, 0, 0, 0]
    let row = [UInt8(0)] + [UInt8](repeating: 200, count: width * (alpha ? 4 : 3))
    let pixels = (0..<height).flatMap { _ in row }
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", head)
      + chunk("IDAT", zlib(pixels)) + chunk("IEND", [])
  }

  /// A JPEG with an orientation in its Exif data, in front of everything else.
  static func turned(_ jpeg: [UInt8], orientation: UInt8) -> [UInt8] {
    // TIFF, little-endian; one entry: tag 0x0112, type SHORT, one value.
    let tiff: [UInt8] =
      [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      + [0, 0, 0, 0]
    let exif = Array("Exif\0\0".utf8) + tiff
    let length = UInt16(exif.count + 2)
    return jpeg.prefix(2) + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + exif
      + jpeg.dropFirst(2)
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(UInt32(content.count)) + body + big(crc(body))
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { bits, _ in
        bits >> 1 ^ (bits & 1 == 1 ? 0xedb8_8320 : 0)
      }
    }
  }

  /// Blocks that are stored as they are (RFC 1950, RFC 1951).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var made: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let size = UInt16(block.count)
      made += [rest.isEmpty ? 1 : 0]
      made += [size, ~size].flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] } + block
    } while !rest.isEmpty
    let sums = bytes.reduce((a: UInt32(1), b: UInt32(0))) { sums, byte in
      let a = (sums.a + UInt32(byte)) % 65_521
      return (a, (sums.b + a) % 65_521)
    }
    return made + big(sums.b << 16 | sums.a)
  }
}

internal import StoreMigration

/// JPEG pictures of any size, each another one, made as fast as memory is copied.
///
/// A row of blocks stands between two restart markers, behind which a decoder starts afresh
/// ("Restart intervals", ITU-T T.81, E.1.4); so pictures are put together of rows that were coded
/// once. The transform is left out: coefficients are made up, smooth ones for light and colour,
/// small ones for grain.
struct SampleJPEG {
  static let width = 1600
  private static let shades = 48

  private let rows: [[UInt8]]

  /// Codes the rows.
  init(seed: UInt64) {
    var random = SampleRandom(seed)
    rows = (0..<Self.shades).map { Self.row(shade: $0, &random) }
  }

  /// A picture of about so many bytes.
  ///
  /// - Parameters:
  ///   - bytes: Its size; the height follows.
  ///   - random: Decides how it looks.
  /// - Returns: The bytes of the file.
  func picture(bytes: Int, _ random: inout SampleRandom) -> [UInt8] {
    let count = max(2, bytes / (rows[0].count + 2))
    var picture = Self.header(height: count * 8)
    picture.reserveCapacity(bytes + bytes / 8)
    var shade = Int(random.next() % UInt64(rows.count))
    for row in 0..<count {
      shade = (shade + [0, 1, 0, rows.count - 1][Int(random.next() % 4)]) % rows.count
      picture += rows[shade]
      // RST0 to RST7 between the rows.
      if row < count - 1 { picture += [0xFF, 0xD0 + UInt8(row % 8)] }
    }
    return picture + [0xFF, 0xD9]
  }

  /// What stands before the rows: tables, the frame, the scan.
  private static func header(height: Int) -> [UInt8] {
    // Codes of four bits each, for nine lengths of a value: of DC differences 0 to 8, of AC values
    // none more (0) and 1 to 8 with no zeros before them.
    let codes: [UInt8] = [0, 0, 0, 9] + [UInt8](repeating: 0, count: 12) + (0...8)
    let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    return [0xFF, 0xD8]
      + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
      + segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
      + segment(0xC0, [8] + pair(height) + pair(width) + [3] + components)
      + segment(0xC4, [0x00] + codes) + segment(0xC4, [0x10] + codes)
      + segment(0xDD, pair(width / 8))
      + segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + pair(content.count + 2) + content
  }

  private static func pair(_ number: Int) -> [UInt8] {
    [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
  }

  /// One row of blocks, from left to right.
  private static func row(shade: Int, _ random: inout SampleRandom) -> [UInt8] {
    var bits = BitWriter()
    let phase = Double(shade) / Double(shades)
    var last = [0, 0, 0]
    for column in 0..<(width / 8) {
      let place = Double(column) / Double(width / 8)
      let light = Int(110 * (phase - 0.5)) + Int(random.next() % 7)
      let tint = [light, Int(60 * (place - 0.5)), Int(50 * (0.5 - phase * place))]
      for part in 0..<3 {
        bits.add(tint[part] - last[part])
        last[part] = tint[part]
        if part == 0 { bits.addGrain(&random) }
        bits.write(0, count: 4)
      }
    }
    return bits.finish()
  }
}

/// Bits in the order of a JPEG's coded data.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var word: UInt32 = 0
  private var count = 0

  mutating func write(_ value: Int, count bits: Int) {
    word = word << UInt32(bits) | UInt32(truncatingIfNeeded: value)
    count += bits
    while count >= 8 {
      count -= 8
      append(UInt8(truncatingIfNeeded: word >> UInt32(count)))
    }
  }

  /// A value as its length and its bits; a negative one less one (T.81, F.1.2.1).
  mutating func add(_ value: Int) {
    let size = Int.bitWidth - value.magnitude.leadingZeroBitCount
    write(size, count: 4)
    let bits = value < 0 ? value - 1 : value
    write(bits & ((1 << size) - 1), count: size)
  }

  /// Coefficients that get smaller with their frequency.
  mutating func addGrain(_ random: inout SampleRandom) {
    for place in 0..<22 {
      let reach = place < 4 ? 7 : place < 10 ? 3 : 1
      let size = 1 + Int(random.next() % UInt64(reach))
      add(random.next() % 2 == 0 ? size : -size)
    }
  }

  /// The bytes, the last one filled with ones.
  mutating func finish() -> [UInt8] {
    if count > 0 { write((1 << (8 - count)) - 1, count: 8 - count) }
    return bytes
  }

  /// A zero follows 0xFF, which would be taken for a marker (T.81, B.1.1.5).
  private mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    if byte == 0xFF { bytes.append(0) }
  }
}

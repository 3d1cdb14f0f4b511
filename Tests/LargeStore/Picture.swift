import Foundation

/// A photograph that nobody took: waves and noise, as a baseline JPEG of about 600 KB.
///
/// The format is that of ITU-T T.81. Its Huffman tables are the file's own affair (section C.2), so
/// the plainest are taken: every symbol has a code of the same length.
struct Picture {
  private let width: Int
  private let height: Int
  private let data: [UInt8]

  /// One of as many pictures as there are seeds; the size is counted in blocks of 16 by 16.
  init(seed: Int, width: Int = 1600, height: Int = 1200) {
    (self.width, self.height) = (width, height)
    var scan = Scan()
    let waves = Waves(seed: seed)
    var chance = Chance(seed: UInt64(seed))
    // 4:2:0, as cameras have it: four blocks of brightness to one of each colour (A.2.3).
    for y in stride(from: 0, to: height, by: 16) {
      for x in stride(from: 0, to: width, by: 16) {
        for (dx, dy) in [(0, 0), (8, 0), (0, 8), (8, 8)] {
          scan.add(waves.brightness(x + dx, y + dy, &chance), component: 0)
        }
        for color in 1...2 { scan.add(waves.color(x, y, color), component: color) }
      }
    }
    data = scan.end()
  }

  /// The file, with a remark of its own.
  func jpeg(comment: String) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xFE, Array(comment.utf8))
    bytes += segment(0xDB, [0] + Scan.order.map { Scan.step(at: $0) })
    bytes += segment(
      0xC0,
      [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 3]
        + [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
    bytes += segment(0xC4, [0x00] + counts(of: 12, length: 4) + (0...11))
    bytes += segment(0xC4, [0x10] + counts(of: 162, length: 8) + Scan.symbols)
    bytes += segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
    return bytes + data + [0xFF, 0xD9]
  }

  private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  /// How many codes there are of each length: none but of one.
  private func counts(of count: UInt8, length: Int) -> [UInt8] {
    (1...16).map { $0 == length ? count : 0 }
  }
}

/// What a picture shows, in blocks of 8 by 8.
private struct Waves {
  private let (slow, fast): (Float, Float)
  private let phase: Float

  init(seed: Int) {
    slow = 0.002 + Float(seed % 17) * 0.0007
    fast = 0.003 + Float(seed % 13) * 0.0005
    phase = Float(seed)
  }

  func brightness(_ x: Int, _ y: Int, _ chance: inout Chance) -> [Float] {
    block { column, row in
      let (across, down) = (Float(x + column), Float(y + row))
      let noise = Float(Int(chance.next() & 31) - 16)
      return 50 * sin(slow * across + fast * down) + 30 * cos(fast * across - slow * down + phase)
        + noise
    }
  }

  func color(_ x: Int, _ y: Int, _ number: Int) -> [Float] {
    block { column, row in
      20 * sin(0.01 * (Float(x + 2 * column) + phase) + Float(number) * 0.02 * Float(y + 2 * row))
    }
  }

  private func block(_ value: (Int, Int) -> Float) -> [Float] {
    (0..<64).map { value($0 & 7, $0 >> 3) }
  }
}

/// The coded blocks of a picture.
private struct Scan {
  /// The place in its block of each coefficient, from the lowest frequency to the highest (A.3.6).
  static let order: [Int] = (0..<64).sorted { first, second in
    let (a, b) = (first & 7, second & 7)
    let (sum, other) = (a + first >> 3, b + second >> 3)
    guard sum == other else { return sum < other }
    return sum.isMultiple(of: 2) ? a < b : a > b
  }

  /// Run of zeros and size of each code there is: end, sixteen zeros, and all others (F.1.2.2).
  static let symbols: [UInt8] =
    [0x00, 0xF0] + (0...15).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }

  private static let codes: [UInt8] = (0...255).map { symbol in
    UInt8(symbols.firstIndex(of: UInt8(symbol)) ?? 0)
  }

  private static let cosines: [Float] = (0..<64).map { place in
    let (frequency, at) = (place >> 3, place & 7)
    let scale: Float = frequency == 0 ? 0.353_553_4 : 0.5
    return scale * cos(Float(2 * at + 1) * Float(frequency) * .pi / 16)
  }

  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var held = 0
  private var last = [0, 0, 0]

  /// How coarse a coefficient is; higher frequencies are coarser.
  static func step(at place: Int) -> UInt8 { UInt8(4 + 4 * (place & 7) + 4 * (place >> 3)) }

  mutating func add(_ block: [Float], component: Int) {
    let coefficients = Self.transformed(block)
    let values = Self.order.map { place in
      Int((coefficients[place] / Float(Self.step(at: place))).rounded())
    }
    let change = values[0] - last[component]
    last[component] = values[0]
    write(UInt64(Self.size(change)), 4)
    writeValue(change)
    var run = 0
    for value in values.dropFirst() {
      guard value != 0 else {
        run += 1
        continue
      }
      while run > 15 {
        write(UInt64(Self.codes[0xF0]), 8)
        run -= 16
      }
      write(UInt64(Self.codes[run << 4 | Self.size(value)]), 8)
      writeValue(value)
      run = 0
    }
    if run > 0 { write(UInt64(Self.codes[0]), 8) }
  }

  /// The bytes, the last filled up with ones.
  mutating func end() -> [UInt8] {
    write(0x7F, 7)
    return bytes
  }

  private static func size(_ value: Int) -> Int {
    Int.bitWidth - value.magnitude.leadingZeroBitCount
  }

  /// Negative numbers are written one less, in as many bits (F.1.2.1).
  private mutating func writeValue(_ value: Int) {
    let size = Self.size(value)
    write(UInt64(truncatingIfNeeded: value < 0 ? value - 1 : value) & (1 << UInt64(size) - 1), size)
  }

  private mutating func write(_ value: UInt64, _ count: Int) {
    bits = bits << UInt64(count) | value
    held += count
    while held >= 8 {
      held -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> UInt64(held))
      bytes.append(byte)
      // FF begins a marker, but for one with 00 behind it (B.1.1.5).
      if byte == 0xFF { bytes.append(0) }
    }
  }

  /// The discrete cosine transform (A.3.3), first along rows, then along columns.
  private static func transformed(_ block: [Float]) -> [Float] {
    let rows = half(block)
    return half(rows)
  }

  /// One direction of it; the result is turned on its side, so that twice is the whole.
  private static func half(_ block: [Float]) -> [Float] {
    var result = [Float](repeating: 0, count: 64)
    for row in 0..<8 {
      for frequency in 0..<8 {
        var sum: Float = 0
        for at in 0..<8 { sum += block[row << 3 + at] * cosines[frequency << 3 + at] }
        result[frequency << 3 + row] = sum
      }
    }
    return result
  }
}

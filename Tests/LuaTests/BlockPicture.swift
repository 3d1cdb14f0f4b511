/// A JPEG of blocks of eight by eight pixels, each of one tone: coded by hand, so that its pixels
/// are known exactly, with every decoder.
struct BlockPicture {
  /// The tones of each component, by row and column.
  var components: [[[UInt8]]]
  /// What stands behind the start of the image: segments with what a picture says of itself.
  var segments: [UInt8] = []
  /// Whether the blocks' first values come first, and the others in scans of their own.
  var isProgressive = false
  /// The parts in which the others come, where it is progressive.
  var bands = [UInt8(1)...63]
  /// How many pixels the last row and column of blocks lack.
  var missing = 0
  /// The size that the head says, where that is a lie.
  var claimed: (width: Int, height: Int)?

  /// A picture whose tones follow from their places; no two rows or columns of it are the same.
  init(columns: Int, rows: Int, components: Int = 1) {
    self.components = (0..<components).map { component in
      (0..<rows).map { row in
        (0..<columns).map { column in
          let tone: Int = 60 + column * 9 + row * 31 + component * 40 + column * row * 3
          return UInt8(tone % 200 + 20)
        }
      }
    }
  }

  /// The file.
  var jpeg: [UInt8] {
    let (rows, columns) = (components[0].count, components[0][0].count)
    let (width, height) = claimed ?? (columns * 8 - missing, rows * 8 - missing)
    var frame: [UInt8] = [8] + Self.pair(height) + Self.pair(width) + [UInt8(components.count)]
    for index in components.indices { frame += [UInt8(index + 1), 0x11, 0] }
    var file: [UInt8] = [0xff, 0xd8] + segments
    // A step of eight is one level of a whole block ("FDCT and IDCT", ITU-T T.81, A.3.3).
    file += Self.segment(0xdb, [0] + [UInt8](repeating: 8, count: 64))
    file += Self.segment(isProgressive ? 0xc2 : 0xc0, frame)
    // Codes of four bits for nine lengths of a difference; one of one bit: the block ends.
    let lengths: [UInt8] = [0, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12)
    file += Self.segment(0xc4, lengths + (0...8))
    file += Self.segment(0xc4, [0x10, 1] + [UInt8](repeating: 0, count: 16))
    return file + scans + [0xff, 0xd9]
  }

  private var scans: [UInt8] {
    let all = Array(components.indices)
    guard isProgressive else { return Self.start(all, 0...63) + values(endingBlocks: true) }
    let blocks = components[0].count * components[0][0].count
    let ends = Self.bytes([Bool](repeating: false, count: blocks))
    return Self.start(all, 0...0) + values(endingBlocks: false)
      + bands.flatMap { band in all.flatMap { Self.start([$0], band) + ends } }
  }

  /// The blocks' first values, each as its difference to the one before (F.1.2.1).
  private func values(endingBlocks: Bool) -> [UInt8] {
    var bits: [Bool] = []
    var last = [Int](repeating: 0, count: components.count)
    for row in components[0].indices {
      for column in components[0][row].indices {
        for component in components.indices {
          let level = Int(components[component][row][column]) - 128
          let difference = level - last[component]
          last[component] = level
          let length = difference.magnitude.bits
          bits += length.lowBits(4)
          let code = difference < 0 ? difference + (1 << length) - 1 : difference
          bits += code.lowBits(length)
          if endingBlocks { bits.append(false) }
        }
      }
    }
    return Self.bytes(bits)
  }

  private static func start(_ components: [Int], _ band: ClosedRange<UInt8>) -> [UInt8] {
    var head = [UInt8(components.count)]
    for index in components { head += [UInt8(index + 1), 0] }
    return segment(0xda, head + [band.lowerBound, band.upperBound, 0])
  }

  /// Bits as bytes, filled up with ones; behind 0xff goes a zero (B.1.1.5).
  private static func bytes(_ bits: [Bool]) -> [UInt8] {
    stride(from: 0, to: bits.count, by: 8).flatMap { place -> [UInt8] in
      let byte = (place..<place + 8).reduce(UInt8(0)) { byte, index in
        byte << 1 | (index < bits.count && !bits[index] ? 0 : 1)
      }
      return byte == 0xff ? [0xff, 0] : [byte]
    }
  }

  /// A marker with its content.
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker] + pair(content.count + 2) + content
  }

  private static func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}

extension BlockPicture {
  /// The same picture as a camera stores it that was held otherwise, and says so.
  func turned(_ orientation: UInt8) -> [UInt8] {
    var picture = self
    picture.components = components.map { Self.stored($0, orientation) }
    return SamplePicture.turned(picture.jpeg, orientation: orientation)
  }

  /// What the orientations 2 to 8 undo: "the 0th row is at the visual ..." (Exif 2.3, 4.6.4).
  private static func stored(_ upright: [[UInt8]], _ orientation: UInt8) -> [[UInt8]] {
    let mirrored = upright.map { Array($0.reversed()) }
    let across = { (rows: [[UInt8]]) in rows[0].indices.map { x in rows.map { $0[x] } } }
    return switch orientation {
    case 2: mirrored
    case 3: mirrored.reversed()
    case 4: upright.reversed()
    case 5: across(upright)
    case 6: across(mirrored)
    case 7: across(mirrored.reversed())
    case 8: across(upright.reversed())
    default: upright
    }
  }
}

extension UInt {
  /// How many bits it takes.
  fileprivate var bits: Int { UInt.bitWidth - leadingZeroBitCount }
}

extension Int {
  /// So many of its bits, the highest first.
  fileprivate func lowBits(_ count: Int) -> [Bool] {
    (0..<count).reversed().map { self >> $0 & 1 == 1 }
  }
}

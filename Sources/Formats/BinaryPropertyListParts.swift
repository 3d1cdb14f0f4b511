extension BinaryPropertyList {
  /// The last 32 bytes: how wide offsets and references are, and where the offset table begins.
  struct Trailer: Sendable {
    /// Bytes before the first object: "bplist00".
    static let header = 8
    /// Bytes of a trailer.
    static let size = 32

    /// Bytes of a reference to an object.
    let referenceSize: Int
    /// How many objects there are.
    let count: Int
    /// The number of the object that holds all others.
    let top: Int
    /// Where the offset table begins, and the objects end.
    let table: Int
    private let offsetSize: Int

    /// Reads and checks the trailer: the table lies between the objects and the trailer.
    init(_ bytes: [UInt8]) throws(FormatError) {
      let start = bytes.count - Self.size
      guard start > Self.header else {
        throw FormatError(.binaryPropertyList, "cut short: \(bytes.count) bytes")
      }
      offsetSize = Int(bytes[start + 6])
      referenceSize = Int(bytes[start + 7])
      guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
        let count = Int(exactly: bytes.bigEndian(start + 8..<start + 16)),
        let top = Int(exactly: bytes.bigEndian(start + 16..<start + 24)),
        let table = Int(exactly: bytes.bigEndian(start + 24..<start + 32)),
        table > Self.header, table < start, count > 0, count <= (start - table) / offsetSize,
        top < count
      else {
        throw FormatError(
          .binaryPropertyList, "cut short or damaged: its trailer does not fit it",
          at: .byte(start))
      }
      (self.count, self.top, self.table) = (count, top, table)
    }

    /// What the table says an object's offset is.
    func offset(_ index: Int, _ bytes: [UInt8]) -> Int {
      let place = table + index * offsetSize
      return Int(truncatingIfNeeded: bytes.bigEndian(place..<place + offsetSize))
    }
  }

  /// What an object's first byte says it is.
  enum Kind {
    case null, no, yes, integer, real, date, data, ascii, utf16, uid, array, dictionary

    /// The kind of a marker byte; sets are read as arrays.
    init?(marker: UInt8) {
      switch (marker >> 4, marker & 0x0f) {
      case (0x0, 0x0): self = .null
      case (0x0, 0x8): self = .no
      case (0x0, 0x9): self = .yes
      case (0x1, _): self = .integer
      case (0x2, _): self = .real
      case (0x3, 0x3): self = .date
      case (0x4, _): self = .data
      case (0x5, _): self = .ascii
      case (0x6, _): self = .utf16
      case (0x8, _): self = .uid
      case (0xa, _), (0xc, _): self = .array
      case (0xd, _): self = .dictionary
      default: return nil
      }
    }

    /// Whether the low half of the marker counts units, and 15 means that the count follows.
    var hasLength: Bool {
      switch self {
      case .data, .ascii, .utf16, .array, .dictionary: true
      default: false
      }
    }

    /// The bytes of one unit of a kind that has a length.
    func unit(referenceSize: Int) -> Int {
      switch self {
      case .utf16: 2
      case .array: referenceSize
      case .dictionary: 2 * referenceSize
      default: 1
      }
    }

    /// The bytes after the marker, from the marker's low half or the length that followed it.
    func size(_ length: Int, unit: Int) -> (partialValue: Int, overflow: Bool) {
      switch self {
      case .null, .no, .yes: (0, false)
      case .integer, .real, .date: (1 << length, false)
      case .uid: (length + 1, false)
      default: length.multipliedReportingOverflow(by: unit)
      }
    }
  }
}

extension [UInt8] {
  /// Up to eight bytes as a number, the most significant first.
  func bigEndian(_ range: Range<Int>) -> UInt64 {
    self[range].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The name of the file that holds one large value next to the store: a UUID and nothing else.
public struct ExternalReference: Hashable, Sendable {
  /// The file's name in the folder of external data.
  public let name: String

  /// A reference by a name; nil for anything but an upper-case UUID, a path above all.
  public init?(_ name: String) {
    guard Self.isUUID(Array(name.utf8)[...]) else { return nil }
    self.name = name
  }

  /// The first byte of a value that lies in the column itself.
  package static let inlineMark: UInt8 = 1
  /// The first byte of a value that lies in a file.
  package static let externalMark: UInt8 = 2
  /// The length of a reference: the mark, 36 characters and a zero.
  package static let length = 38

  /// The reference in a column: 02, the name, 00.
  package init?(stored bytes: [UInt8]) {
    guard bytes.count == Self.length, bytes.first == Self.externalMark, bytes.last == 0,
      Self.isUUID(bytes[1..<37])
    else { return nil }
    name = String(decoding: bytes[1..<37], as: UTF8.self)
  }

  /// The bytes of the column.
  package var stored: [UInt8] { [Self.externalMark] + Array(name.utf8) + [0] }

  private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 36
      && bytes.enumerated().allSatisfy { place, byte in
        if [8, 13, 18, 23].contains(place) { return byte == UInt8(ascii: "-") }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
      }
  }
}

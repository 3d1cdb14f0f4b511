// The classes of Foundation that archives consist of, as plain values.
extension KeyedArchive.Object {
  package var string: String? {
    if let scalar { return scalar.string }
    guard isKind(of: "NSString") else { return nil }
    if let text = field("NS.string")?.scalar?.string { return text }
    guard let bytes = field("NS.bytes")?.data else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The whole number; truth values count as 0 and 1, as for NSNumber.
  package var integer: Int64? {
    switch number {
    case .integer(let value): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// The truth value; whole numbers count as true unless they are 0, as for NSNumber.
  package var bool: Bool? {
    switch number {
    case .bool(let value): value
    case .integer(let value): value != 0
    default: nil
    }
  }

  /// The number as a floating-point one.
  package var real: Double? {
    switch number {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The number or truth value just as it was archived.
  package var number: PropertyList? {
    if let scalar {
      switch scalar {
      case .bool, .integer, .unsigned, .real: return scalar
      default: return nil
      }
    }
    guard isKind(of: "NSNumber"), !isKind(of: "NSDecimalNumber") else { return nil }
    return (field("NS.intval") ?? field("NS.dblval") ?? field("NS.boolval"))?.scalar
  }

  package var data: [UInt8]? {
    if let scalar { return scalar.data }
    guard isKind(of: "NSData") else { return nil }
    return (field("NS.data") ?? field("NS.bytes"))?.scalar?.data
  }

  /// Seconds since 2001-01-01 UTC of a date.
  package var date: Double? {
    if let scalar { return scalar.date }
    return isKind(of: "NSDate") ? field("NS.time")?.real : nil
  }

  /// The 16 bytes of a UUID.
  package var uuid: [UInt8]? {
    guard isKind(of: "NSUUID"), let bytes = field("NS.uuidbytes")?.data, bytes.count == 16 else {
      return nil
    }
    return bytes
  }

  /// The text of a URL that does not hang on another.
  package var url: String? {
    guard isKind(of: "NSURL"), self["NS.base"] == nil else { return nil }
    return field("NS.relative")?.string
  }

  /// The digits of a decimal number, exactly; "NaN" if it is none.
  package var decimal: String? {
    guard isKind(of: "NSDecimalNumber"), let mantissa = field("NS.mantissa")?.data,
      let exponent = field("NS.exponent")?.integer.flatMap(Int8.init(exactly:)),
      let length = field("NS.length")?.integer, 0...8 ~= length, mantissa.count == 16
    else { return nil }
    let isNegative = field("NS.negative")?.bool ?? false
    // NSDecimal: no digits and a minus sign are what is not a number.
    if length == 0 { return isNegative ? "NaN" : "0" }
    // NS.mantissa.bo is the order of bytes within the eight halfwords: 1 little, 2 big endian.
    let isBig = field("NS.mantissa.bo")?.integer == 2
    let halves = (0..<Int(length)).map { half in
      UInt128(mantissa[2 * half + (isBig ? 0 : 1)]) << 8
        | UInt128(mantissa[2 * half + (isBig ? 1 : 0)])
    }
    let value = halves.reversed().reduce(UInt128(0)) { $0 << 16 | $1 }
    return (isNegative ? "-" : "") + Self.digits(value, exponent: Int(exponent))
  }

  /// The elements of an array, a set or an ordered set.
  package var elements: [KeyedArchive.Object]? {
    if let inline { return inline }
    guard ["NSArray", "NSSet", "NSOrderedSet"].contains(where: isKind) else { return nil }
    return field("NS.objects")?.inline ?? numbered("NS.object.")
  }

  /// The keys and values of a dictionary, in the order of the archive.
  package var entries: [(key: KeyedArchive.Object, value: KeyedArchive.Object)]? {
    if className == "NSKnownKeysDictionary1" { return knownKeys }
    guard isKind(of: "NSDictionary") else { return nil }
    let keys = field("NS.keys")?.inline ?? numbered("NS.key.")
    let values = field("NS.objects")?.inline ?? numbered("NS.object.")
    return keys.count == values.count ? zip(keys, values).map { ($0, $1) } : nil
  }

  /// A dictionary whose keys are strings; of two equal keys the later one counts.
  package var dictionary: [String: KeyedArchive.Object]? {
    guard let entries else { return nil }
    var dictionary: [String: KeyedArchive.Object] = [:]
    for (key, value) in entries {
      guard let name = key.string else { return nil }
      dictionary[name] = value
    }
    return dictionary
  }

  /// The slots of a dictionary whose keys were known beforehand, as Core Data's caches hold them.
  private var knownKeys: [(key: KeyedArchive.Object, value: KeyedArchive.Object)]? {
    // Dictionaries share their keys: not more of them are decoded than there are values.
    guard let values = field("values")?.elements, let keys = field("searchMapping")?.field("keys"),
      let keys = (keys.field("NS.objects") ?? keys).inline(limit: values.count)
    else { return nil }
    return zip(keys, values).filter { $1.scalar?.string != Self.emptySlot }.map { ($0, $1) }
  }

  private static let emptySlot = "__empty_slot_token_4c24_98dc_ac1e_b773__"

  /// Older archives number the elements instead of listing them.
  private func numbered(_ prefix: String) -> [KeyedArchive.Object] {
    let fields = fields
    return Array(
      (0...).lazy.map { fields["\(prefix)\($0)"] }.prefix { $0 != nil }.compactMap { $0 })
  }

  private static func digits(_ value: UInt128, exponent: Int) -> String {
    let digits = String(value)
    guard exponent < 0 else { return digits + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }
}

/// Numbers of bytes as people read them.
package enum ByteSize {
  /// `812 B`, `1.2 MB`, `34 MB`: powers of a thousand, as the SI has them.
  package static func text(_ number: Int) -> String {
    guard number >= 1000 else { return "\(number) B" }
    var value = Double(number)
    var unit = ""
    for next in ["kB", "MB", "GB", "TB", "PB", "EB"] where value >= 999.95 {
      (value, unit) = (value / 1000, next)
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(unit)"
  }

  /// Two numbers that are compared, in bytes where they would look the same.
  package static func texts(_ one: Int, _ other: Int) -> (String, String) {
    let texts = (text(one), text(other))
    return texts.0 == texts.1 ? ("\(one) bytes", "\(other) bytes") : texts
  }
}

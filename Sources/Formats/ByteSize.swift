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
}

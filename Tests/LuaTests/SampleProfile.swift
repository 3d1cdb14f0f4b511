/// ICC profiles for tests, made byte by byte (ICC.1:2010).
enum SampleProfile {
  /// The colorants of sRGB, and of a space that has red and green the other way round.
  static let usual = [
    [0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
  ]
  static let swapped = [usual[1], usual[0], usual[2]]
  /// What a profile takes for white: D50.
  private static let light = [0.9642, 1, 0.8249]

  /// A JPEG's segment with a profile of three colorants and the curve of sRGB.
  static func segment(_ colorants: [[Double]]) -> [UInt8] {
    BlockPicture.segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile(colorants))
  }

  private static func profile(_ colorants: [[Double]]) -> [UInt8] {
    let curve =
      Array("para\0\0\0\0\0\u{3}\0\0".utf8)
      + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    var tags: [(name: String, content: [UInt8])] = []
    for (name, place) in zip(["rXYZ", "gXYZ", "bXYZ", "wtpt"], colorants + [light]) {
      tags.append((name, Array("XYZ \0\0\0\0".utf8) + place.flatMap(fixed)))
    }
    for name in ["rTRC", "gTRC", "bTRC"] { tags.append((name, curve)) }
    var table = big(tags.count)
    var content: [UInt8] = []
    for tag in tags {
      let place = 132 + tags.count * 12 + content.count
      table += Array(tag.name.utf8) + big(place) + big(tag.content.count)
      content += tag.content
    }
    return head(size: 128 + table.count + content.count) + table + content
  }

  /// The header (7.2): version 2.1, a display's, from RGB to XYZ in the light D50.
  private static func head(size: Int) -> [UInt8] {
    var head = big(size) + [0, 0, 0, 0, 2, 0x10, 0, 0] + Array("mntrRGB XYZ ".utf8)
    head += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    head += [UInt8](repeating: 0, count: 28) + light.flatMap(fixed)
    return head + [UInt8](repeating: 0, count: 48)
  }

  private static func fixed(_ number: Double) -> [UInt8] { big(Int((number * 65_536).rounded())) }

  private static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

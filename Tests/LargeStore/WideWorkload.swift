import SQLite

extension Workload {
  /// W3: rows of sixty columns, one of which is renamed, one dropped and one new.
  static let wide = Workload(
    name: "wide", title: "Wide",
    versions: [
      model(#"<attribute name="weight" optional="YES" attributeType="Double"/>"#),
      model(
        """
        <attribute name="mass" optional="YES" attributeType="Double" elementID="weight"/>
        <attribute name="status" attributeType="Integer 16" defaultValueString="1"/>
        """, without: 53),
    ],
    migrations: [Migration(name: "rename", version: 2, copy: #" drop { "Record.a53" } "#)],
    fill: fill)

  private static let types = [
    "String", "Double", "Date", "Boolean", "Integer 32", "Integer 64",
  ]

  private static func model(_ attributes: String, without left: Int? = nil) -> String {
    let others = (0..<54).filter { $0 != left }.map { number in
      """
      <attribute name="\(name(number))" optional="YES" \
      attributeType="\(types[number % types.count])"/>
      """
    }
    return """
      <entity name="Record">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      \(attributes)
      \(others.joined(separator: "\n"))
      </entity>
      """
  }

  private static func name(_ number: Int) -> String { "a\(number < 10 ? "0" : "")\(number)" }

  private static func fill(_ store: Connection, rows: Int) throws {
    var chance = Chance()
    let columns = (0..<54).map { "Z\(name($0).uppercased())" }
    let statement = try store.prepare(
      """
      INSERT INTO ZRECORD (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE, ZWEIGHT, \
      \(columns.joined(separator: ", ")))
      VALUES (\(repeatElement("?", count: 60).joined(separator: ", ")))
      """)
    for key in 1...rows {
      let values: [Value] = [
        .integer(Int64(key)), .integer(1), .integer(1), .text(chance.name()),
        .text(chance.note()), .real(chance.fraction() * 50),
      ]
      try statement.insert(values + (0..<54).map { value(of: $0, &chance) })
    }
  }

  private static func value(of number: Int, _ chance: inout Chance) -> Value {
    guard chance.below(10) > 0 else { return .null }
    return switch types[number % types.count] {
    case "String": .text(chance.words(1 + chance.below(3)))
    case "Double": .real(chance.fraction() * 1000)
    case "Date": .real(chance.moment())
    case "Boolean": .integer(Int64(chance.below(2)))
    default: .integer(Int64(chance.below(100_000)))
    }
  }
}

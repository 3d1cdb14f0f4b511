import Foundation
import SQLite

extension Workload {
  /// As many attributes of one entity as are wanted, with rules, indexes and constraints on some.
  ///
  /// The first is renamed, and one is new.
  static func attributes(_ count: Int) -> Workload {
    renaming("attributes", title: "Attributes", fill) { model(count, $0) }
  }

  private static let rows = 20
  private static let types = ["String", "Double", "Integer 64", "Date", "Boolean"]

  private static func model(_ count: Int, _ attributes: String) -> String {
    let others = (0..<count).map { number in
      let rule = number % 5 == 2 ? #" minValueString="0""# : ""
      let type = types[number % types.count]
      return
        #"<attribute name="\#(name(number))" optional="YES" attributeType="\#(type)"\#(rule)/>"#
    }
    let indexes = stride(from: 0, to: count, by: 10).map { number in
      """
      <fetchIndex name="by\(number)">
      <fetchIndexElement property="\(name(number))" type="Binary" order="ascending"/></fetchIndex>
      """
    }
    let constraints = stride(from: 2, to: count, by: 10).map { number in
      """
      <uniquenessConstraint><constraint value="\(name(number))"/></uniquenessConstraint>
      """
    }
    return """
      <entity name="Item">
      \(attributes)
      \((others + indexes).joined(separator: "\n"))
      <uniquenessConstraints>\(constraints.joined())</uniquenessConstraints>
      </entity>
      """
  }

  /// The names' order is that of the numbers, up to ten thousand.
  private static func name(_ number: Int) -> String { String(format: "a%04ld", number) }

  private static func fill(_ store: Connection, attributes: Int) throws {
    var chance = Chance()
    let names = (0..<attributes).map(name)
    let columns = names.map { "Z\($0.uppercased())" }.joined(separator: ", ")
    let places = (1...attributes + 2).map { "?\($0)" }.joined(separator: ", ")
    let insert = try store.prepare(
      "INSERT INTO ZITEM (Z_ENT, Z_OPT, Z_PK, ZWEIGHT, \(columns)) VALUES (1, 1, \(places))")
    for key in 1...rows {
      let values = (0..<attributes).map { number -> Value in
        switch types[number % types.count] {
        case "String": .text(chance.words(2))
        case "Boolean": .integer(Int64(chance.below(2)))
        case "Integer 64": .integer(Int64(key * 1000 + number))
        default: .real(chance.moment())
        }
      }
      try insert.insert([.integer(Int64(key)), .real(chance.fraction() * 50)] + values)
    }
  }
}

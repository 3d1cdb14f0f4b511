import Foundation
import SQLite

extension Workload {
  /// As many relationships of one entity as are wanted, of every kind in turn.
  ///
  /// An attribute is renamed, and one is new.
  static func links(_ count: Int) -> Workload {
    renaming("links", title: "Links", fill) { model(count, $0) }
  }

  private static let rows = 20

  /// Whether the relationship of a number, and its inverse, lead to many.
  private static func kind(_ number: Int) -> (there: Bool, back: Bool) {
    (number % 4 >= 2, number % 4 == 1 || number % 4 == 2)
  }

  private static func model(_ count: Int, _ attributes: String) -> String {
    let there = (0..<count).map { relationship("r", $0, to: "Other", kind($0).there, "i") }
    let back = (0..<count).map { relationship("i", $0, to: "Item", kind($0).back, "r") }
    return """
      <entity name="Item">
      \(attributes)
      \(there.joined(separator: "\n"))
      </entity>
      <entity name="Other">
      \(back.joined(separator: "\n"))
      </entity>
      """
  }

  private static func relationship(
    _ letter: String, _ number: Int, to entity: String, _ isToMany: Bool, _ inverse: String
  ) -> String {
    """
    <relationship name="\(name(letter, number))" optional="YES" deletionRule="Nullify" \
    \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") destinationEntity="\(entity)" \
    inverseName="\(name(inverse, number))" inverseEntity="\(entity)"/>
    """
  }

  /// The names' order is that of the numbers, up to ten thousand.
  private static func name(_ letter: String, _ number: Int) -> String {
    letter + String(format: "%04ld", number)
  }

  /// Each object leads to the one of its own number.
  private static func fill(_ store: Connection, links: Int) throws {
    let keys = (1...rows).map { Value.integer(Int64($0)) }
    for (entity, letter) in [("ZITEM", "R"), ("ZOTHER", "I")] {
      let columns = (0..<links).filter { number in
        letter == "R" ? !kind(number).there : !kind(number).back
      }.map { "Z\(name(letter, $0))" }
      let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
      let number = letter == "R" ? 1 : 2
      let values = (["?1", "\(number)", "1"] + columns.map { _ in "?1" }).joined(separator: ", ")
      let insert = try store.prepare("INSERT INTO \(entity) (\(names)) VALUES (\(values))")
      for key in keys { try insert.insert([key]) }
    }
    for table in try Schema(of: store).objects(of: .table) where table.name.hasPrefix("Z_1") {
      let insert = try store.prepare("INSERT INTO \(table.name) VALUES (?1, ?1)")
      for key in keys { try insert.insert([key]) }
    }
  }
}

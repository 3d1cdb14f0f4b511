import Foundation
import SQLite

extension Workload {
  /// W4: as many entities as are wanted, of a few rows each; every one leads to the next.
  ///
  /// An attribute of each is renamed, and one is new.
  static func entities(_ count: Int) -> Workload {
    renaming("entities", title: "Entities", fill) { model(count, $0) }
  }

  private static let rowsOfEach = 20

  private static func model(_ count: Int, _ attributes: String) -> String {
    (0..<count).map { number in
      let (next, previous) = (entity((number + 1) % count), entity((number + count - 1) % count))
      return """
        <entity name="\(entity(number))">
        <attribute name="name" optional="YES" attributeType="String"/>
        \(attributes)
        <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="\(next)" inverseName="previous" inverseEntity="\(next)"/>
        <relationship name="previous" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="\(previous)" inverseName="next" inverseEntity="\(previous)"/>
        </entity>
        """
    }.joined(separator: "\n")
  }

  /// The names' order is that of the numbers, up to ten thousand.
  private static func entity(_ number: Int) -> String { String(format: "E%04ld", number) }

  private static func fill(_ store: Connection, entities: Int) throws {
    var chance = Chance()
    for number in 0..<entities {
      let insert = try store.prepare(
        """
        INSERT INTO Z\(entity(number)) (Z_PK, Z_ENT, Z_OPT, ZNEXT, ZWEIGHT, ZNAME)
        VALUES (?1, ?2, 1, ?1, ?3, ?4)
        """)
      for key in 1...rowsOfEach {
        try insert.insert([
          .integer(Int64(key)), .integer(Int64(number + 1)), .real(chance.fraction() * 50),
          .text(chance.name()),
        ])
      }
    }
  }
}

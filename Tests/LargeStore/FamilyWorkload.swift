import Foundation
import SQLite

extension Workload {
  /// As many entities as are wanted that inherit from one, and so are in one table.
  ///
  /// An attribute of each is renamed.
  static func family(_ count: Int) -> Workload {
    Workload(
      name: "family", title: "Family",
      versions: [model(count) { "name=\"weight\($0)\"" }]
        + [model(count) { "name=\"mass\($0)\" elementID=\"weight\($0)\"" }],
      migrations: [Migration(name: "rename", version: 2)], fill: fill)
  }

  private static let rowsOfEach = 2

  private static func model(_ count: Int, _ attribute: (Int) -> String) -> String {
    let children = (0..<count).map { number in
      """
      <entity name="E\(number)" parentEntity="Root">
      <attribute \(attribute(number)) optional="YES" attributeType="Double"/>
      </entity>
      """
    }
    return """
      <entity name="Root" isAbstract="YES">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="Root" inverseName="previous" inverseEntity="Root"/>
      <relationship name="previous" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="Root" inverseName="next" inverseEntity="Root"/>
      </entity>
      \(children.joined(separator: "\n"))
      """
  }

  private static func fill(_ store: Connection, entities: Int) throws {
    var chance = Chance()
    var key = 0
    let numbers = try store.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_SUPER > 0")
    for number in numbers {
      guard let entity = number[0].integer, let name = number[1].string else { continue }
      let insert = try store.prepare(
        """
        INSERT INTO ZROOT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZWEIGHT\(name.dropFirst()), ZNEXT, Z1_NEXT)
        VALUES (?1, ?2, 1, ?3, ?4, ?1, ?2)
        """)
      for _ in 0..<rowsOfEach {
        key += 1
        try insert.insert([
          .integer(Int64(key)), .integer(entity), .text(chance.name()),
          .real(chance.fraction() * 50),
        ])
      }
    }
  }
}

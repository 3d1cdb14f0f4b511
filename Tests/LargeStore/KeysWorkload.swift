import SQLite

extension Workload {
  /// W5: items with a word each, which become labels that items share.
  ///
  /// One way looks each label up and makes it where it is missing, the other makes one for each
  /// item and has `dedupe` leave one of each name.
  static let keys = Workload(
    name: "keys", title: "Keys", versions: [first, second],
    migrations: [
      Migration(name: "find", version: 2, copy: #" drop { "Item.word" } "#, script: ("Item", find)),
      Migration(
        name: "dedupe", version: 2, copy: #" drop { "Item.word" } "#,
        script: ("Item", create),
        last: #"stage "dedupe" { entity = "Label", key = "name" }"#),
    ],
    fill: fill)

  private static let find = """
    return {
      creates = { "Item", "Label" },
      create = function(item, new, ctx)
        local copy = new.Item(item)
        copy.label = ctx.find("Label", { name = item.word })[1]
          or new.Label { name = item.word }
        return copy
      end,
    }

    """

  private static let create = """
    return {
      creates = { "Item", "Label" },
      create = function(item, new)
        local copy = new.Item(item)
        copy.label = new.Label { name = item.word }
        return copy
      end,
    }

    """

  private static let name = """
    <attribute name="name" optional="YES" attributeType="String"/>

    """

  private static let first = """
    <entity name="Item">
    \(name)<attribute name="word" optional="YES" attributeType="String"/>
    </entity>
    """

  private static let second = """
    <entity name="Item">
    \(name)<relationship name="label" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Label" inverseName="items" inverseEntity="Label"/>
    </entity>
    <entity name="Label">
    \(name)<relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="label" inverseEntity="Item"/>
    <fetchIndex name="byName">
    <fetchIndexElement property="name" type="Binary" order="ascending"/>
    </fetchIndex>
    </entity>
    """

  /// Words that come twice on average.
  private static func fill(_ store: Connection, rows: Int) throws {
    var chance = Chance()
    let item = try store.prepare(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZWORD) VALUES (?1, 1, 1, ?2, ?3)")
    for key in 1...rows {
      try item.insert([
        .integer(Int64(key)), .text(chance.name()),
        .text("word \(chance.below(max(1, rows / 2)))"),
      ])
    }
  }
}

import SQLite

extension Workload {
  /// W1: things in boxes, with tags; many small rows, three pairs of thing and tag for each.
  ///
  /// The second version renames an attribute, drops one and adds one with a default; the third also
  /// splits the name, tidies the note and has the price as text. A chain goes through the second
  /// one, with a script in each step.
  static let things = Workload(
    name: "things", title: "Things", versions: [first, second, third],
    migrations: [
      Migration(name: "rename", version: 2, copy: #" drop { "Item.fragile" } "#),
      Migration(
        name: "rewrite", version: 3,
        copy: #" drop { "Item.fragile", "Item.name", "Item.price" } "#,
        script: ("Item", rewrite)),
      Migration(name: "chain", version: 3, script: ("Item", tidy), steps: chain),
    ],
    fill: fill)

  private static let rewrite = """
    return {
      attributes = {
        firstName = function(name) return name and text.split(name, " ", 2)[1] end,
        lastName = function(name) return name and text.split(name, " ", 2)[2] end,
        note = function(note) return note and text.upperFirst(text.trim(note)) end,
        priceText = function(price)
          return price and string.format("%d.%02d", price // 100, price % 100)
        end,
      },
    }

    """

  private static let tidy = """
    return {
      attributes = {
        note = function(note) return note and text.trimEnd(note) end,
      },
    }

    """

  private static let chain = """
    step "Things 2" {
      stage "copy" { drop { "Item.fragile" } },
      stage "transform" { entity = "Item", script = "chain.lua" },
      stage "connect" {},
    }
    step "Things 3" {
      stage "copy" { drop { "Item.name", "Item.price" } },
      stage "transform" { entity = "Item", script = "rewrite.lua" },
      stage "connect" {},
    }
    """

  private static let first = model(
    """
    <attribute name="fragile" optional="YES" attributeType="Boolean"/>
    <attribute name="weight" optional="YES" attributeType="Double"/>
    """ + name + price)

  private static let second = model(status + mass + name + price)

  private static let third = model(
    status + mass + """

      <attribute name="firstName" optional="YES" attributeType="String"/>
      <attribute name="lastName" optional="YES" attributeType="String"/>
      <attribute name="priceText" optional="YES" attributeType="String"/>
      """)

  private static let status = """
    <attribute name="status" attributeType="Integer 16" defaultValueString="1"/>

    """

  private static let mass = """
    <attribute name="mass" optional="YES" attributeType="Double" elementID="weight"/>
    """

  private static let name = """

    <attribute name="name" optional="YES" attributeType="String"/>
    """

  private static let price = """

    <attribute name="price" optional="YES" attributeType="Integer 32"/>
    """

  private static func model(_ attributes: String) -> String {
    """
    <entity name="Box">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
    </entity>
    <entity name="Tag">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
    </entity>
    <entity name="Item">
    \(attributes)
    <attribute name="created" optional="YES" attributeType="Date"/>
    <attribute name="note" optional="YES" attributeType="String"/>
    <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Box" inverseName="items" inverseEntity="Box"/>
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
    <fetchIndex name="byCreated">
    <fetchIndexElement property="created" type="Binary" order="ascending"/>
    </fetchIndex>
    </entity>
    """
  }

  private static func fill(_ store: Connection, rows: Int) throws {
    var chance = Chance()
    let boxes = max(1, rows / 100)
    let tags = max(8, rows / 200)
    let box = try store.prepare(
      "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, 1, 1, ?2)")
    for key in 1...boxes { try box.insert([.integer(Int64(key)), .text(chance.words(2))]) }
    let tag = try store.prepare(
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, 3, 1, ?2)")
    for key in 1...tags { try tag.insert([.integer(Int64(key)), .text("tag \(key)")]) }
    try fillThings(store, rows, boxes: boxes, &chance)
    try fillPairs(store, rows, tags: tags, &chance)
  }

  private static func fillThings(
    _ store: Connection, _ rows: Int, boxes: Int, _ chance: inout Chance
  ) throws {
    let thing = try store.prepare(
      """
      INSERT INTO ZITEM
      (Z_PK, Z_ENT, Z_OPT, ZFRAGILE, ZPRICE, ZBOX, ZCREATED, ZWEIGHT, ZNAME, ZNOTE)
      VALUES (?1, 2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """)
    for key in 1...rows {
      try thing.insert([
        .integer(Int64(key)), .integer(Int64(1 + chance.below(20))),
        .integer(Int64(chance.below(2))), .integer(Int64(chance.below(200_000))),
        .integer(Int64(1 + chance.below(boxes))), .real(chance.moment()),
        chance.below(20) > 0 ? .real(chance.fraction() * 50) : .null, .text(chance.name()),
        chance.below(10) > 0 ? .text(chance.note()) : .null,
      ])
    }
  }

  /// Nine of ten pairs in the order of the things, as when these were made; the rest came later.
  private static func fillPairs(
    _ store: Connection, _ rows: Int, tags: Int, _ chance: inout Chance
  ) throws {
    let pair = try store.prepare(
      "INSERT OR IGNORE INTO Z_2TAGS (Z_2ITEMS, Z_3TAGS) VALUES (?1, ?2)")
    for key in 1...rows {
      for _ in 0..<(chance.below(10) < 7 ? 3 : 2) {
        try pair.insert([.integer(Int64(key)), .integer(Int64(1 + chance.below(tags)))])
      }
    }
    for _ in 0..<rows * 3 / 10 {
      try pair.insert([
        .integer(Int64(1 + chance.below(rows))), .integer(Int64(1 + chance.below(tags))),
      ])
    }
  }
}

extension Statement {
  /// Inserts one row.
  func insert(_ values: [Value]) throws {
    try bind(values)
    try run()
  }
}

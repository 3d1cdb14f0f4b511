import SQLite

extension Workload {
  /// W2: few rows with large pictures, which get an entity of their own, and a thumbnail if asked.
  static let pictures = Workload(
    name: "pictures", title: "Pictures", versions: [first, second, third],
    migrations: [
      Migration(name: "move", version: 2, script: ("Item", move)),
      Migration(name: "thumbnails", version: 3, script: ("Item", thumbnails)),
    ],
    fill: fill)

  private static let move = """
    return {
      creates = { "Item", "Picture" },
      create = function(item, new)
        local copy = new.Item(item)
        if item.image then copy.picture = new.Picture { data = item.image } end
        return copy
      end,
    }

    """

  private static let thumbnails = """
    return {
      creates = { "Item", "Picture", "Thumbnail" },
      create = function(item, new)
        local copy = new.Item(item)
        if item.image then
          copy.picture = new.Picture { data = item.image }
          copy.thumbnail = new.Thumbnail { data = image.thumbnail(item.image, 160) }
        end
        return copy
      end,
    }

    """

  private static let first = item(
    #"<attribute name="image" optional="YES" attributeType="Binary"/>"#)

  private static let second = item(link("picture", "Picture")) + entity("picture", "Picture")

  private static let third =
    item(link("picture", "Picture") + link("thumbnail", "Thumbnail"))
    + entity("picture", "Picture") + entity("thumbnail", "Thumbnail")

  private static func link(_ name: String, _ entity: String) -> String {
    """
    <relationship name="\(name)" optional="YES" maxCount="1" deletionRule="Cascade" \
    destinationEntity="\(entity)" inverseName="item" inverseEntity="\(entity)"/>

    """
  }

  private static func entity(_ name: String, _ entity: String) -> String {
    """
    <entity name="\(entity)">
    <attribute name="data" attributeType="Binary"/>
    <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="\(name)" inverseEntity="Item"/>
    </entity>

    """
  }

  private static func item(_ properties: String) -> String {
    """
    <entity name="Box">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
    </entity>
    <entity name="Item">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Box" inverseName="items" inverseEntity="Box"/>
    \(properties)
    </entity>

    """
  }

  private static func fill(_ store: Connection, rows: Int) throws {
    var chance = Chance()
    let box = try store.prepare(
      "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, 1, 1, ?2)")
    for key in 1...100 { try box.insert([.integer(Int64(key)), .text(chance.words(2))]) }
    let item = try store.prepare(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZBOX, ZNAME, ZIMAGE) VALUES (?1, 2, 1, ?2, ?3, ?4)
      """)
    // A picture takes longer to make than to store; each row's number makes it one of its own.
    let pictures = (1...min(rows, 16)).map { Picture(seed: $0) }
    for key in 1...rows {
      try item.insert([
        .integer(Int64(key)), .integer(Int64(1 + chance.below(100))), .text(chance.words(3)),
        .blob(pictures[key % pictures.count].jpeg(comment: "picture \(key)")),
      ])
    }
  }
}

import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Columns of entity tables") struct FamilyColumnsTests {
  private func names(_ schema: StoreSchema, _ table: String) -> [String] {
    schema.table(named: table)?.columns.dropFirst(3).map(\.name) ?? []
  }

  @Test("the groups of a fresh table stand in Core Data's order")
  func groups() throws {
    let types = [
      ("a", "Binary"), ("b", "Transformable"), ("c", "UUID"), ("d", "URI"), ("e", "String"),
      ("f", "Decimal"), ("g", "Date"), ("h", "Float"), ("i", "Double"), ("j", "Boolean"),
      ("k", "Integer 64"), ("l", "Integer 32"), ("m", "Integer 16"), ("n", "ObjectID"),
    ]
    let schema = try M.schema(M.entity("Item", types.map { M.attribute($0.0, $0.1) }.joined()))
    #expect(
      schema.tables[0].sql
        == "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZJ INTEGER, ZK INTEGER, ZL INTEGER, ZM INTEGER, ZG TIMESTAMP, ZH FLOAT, ZI FLOAT, "
        + "ZF DECIMAL, ZE VARCHAR, ZD VARCHAR, ZC BLOB, ZB BLOB, ZA BLOB, ZN VARCHAR )")
  }

  @Test("integers go entity by entity, attributes before relationships, places last")
  func integers() throws {
    let schema = try M.schema(
      M.entity(
        "Base", M.attribute("zeta", "Integer 16"), M.toOne("box", "Box", inverse: "items")),
      M.entity("Child", parent: "Base", M.attribute("alpha", "Boolean")),
      M.entity("Box", M.toMany("items", "Base", inverse: "box", ordered: true)))
    #expect(names(schema, "ZBASE") == ["ZZETA", "ZBOX", "ZALPHA", "Z_FOK_BOX"])
    #expect(names(schema, "ZBOX") == [])
  }

  @Test("a name that returns in a family gets a suffix, and each entity knows its own column")
  func suffixes() throws {
    let schema = try M.schema(
      M.entity("Root"), M.entity("A", parent: "Root", M.attribute("size", "Float")),
      M.entity("B", parent: "Root", M.attribute("size", "String")),
      M.entity("C", parent: "Root", M.toOne("Size", "Root")))
    #expect(Set(names(schema, "ZROOT")) == ["ZSIZE", "ZSIZE1", "ZSIZE2", "Z1_SIZE"])
    #expect(schema.entity(named: "A")?["size"]?.columns.map(\.name) == ["ZSIZE"])
    #expect(schema.entity(named: "B")?["size"]?.columns.map(\.name) == ["ZSIZE1"])
    #expect(schema.entity(named: "C")?["Size"]?.columns.map(\.name) == ["ZSIZE2", "Z1_SIZE"])
  }

  @Test("a destination with sub-entities takes a second column")
  func destinationEntity() throws {
    let schema = try M.schema(
      M.entity("Book"), M.entity("Comic", parent: "Book"), M.entity("Leaf"),
      M.entity("Page", M.toOne("book", "Book"), M.toOne("comic", "Comic"), M.toOne("leaf", "Leaf")))
    #expect(names(schema, "ZPAGE") == ["ZBOOK", "Z1_BOOK", "ZCOMIC", "ZLEAF"])
    guard case .toOne(let storage) = schema.entity(named: "Page")?["book"] else {
      Issue.record("no relationship to one")
      return
    }
    #expect(storage.entity?.name == "Z1_BOOK")
    #expect(storage.position == nil)
  }

  @Test("a to-many is found in the columns of its inverse")
  func toMany() throws {
    let schema = try M.schema(
      M.entity("Box", M.toMany("items", "Item", inverse: "box", ordered: true)),
      M.entity("Item", M.toOne("box", "Box", inverse: "items")))
    guard case .toMany(let storage) = schema.entity(named: "Box")?["items"] else {
      Issue.record("no relationship to many")
      return
    }
    #expect(storage.table == "ZITEM")
    #expect(storage.key.name == "ZBOX")
    #expect(storage.position?.name == "Z_FOK_BOX")
    #expect(storage.hasInverse)
  }

  @Test("a to-many without an inverse has its column in its destination's table")
  func owner() throws {
    let schema = try M.schema(
      M.entity("Box", M.toMany("items", "Item")),
      M.entity("Item", M.attribute("number", "Integer 32")),
      M.entity("Shelf", M.toMany("items", "Item", ordered: true)))
    #expect(names(schema, "ZITEM") == ["ZNUMBER", "Z1ITEMS", "Z3ITEMS", "Z_FOK_3ITEMS"])
    guard case .toMany(let storage) = schema.entity(named: "Shelf")?["items"] else {
      Issue.record("no relationship to many")
      return
    }
    #expect(storage.key.name == "Z3ITEMS")
    #expect(storage.position?.name == "Z_FOK_3ITEMS")
    #expect(!storage.hasInverse)
    #expect(schema.indexes.map(\.name) == ["ZITEM_Z1ITEMS_INDEX", "ZITEM_Z3ITEMS_INDEX"])
  }

  @Test("what is transient, undefined or fetched has no column")
  func notStored() throws {
    let schema = try M.schema(
      M.entity(
        "Item", M.attribute("kept"), M.attribute("passing", "String", "transient=\"YES\""),
        M.attribute("blank", "Undefined"), "<fetchedProperty name=\"found\"/>"))
    #expect(names(schema, "ZITEM") == ["ZKEPT"])
    let item = try #require(schema.entity(named: "Item"))
    #expect(item["passing"] == .notStored(.transient))
    #expect(item["blank"] == .notStored(.undefined))
    #expect(item["found"] == .notStored(.fetched))
    #expect(item["strange"] == nil)
    #expect(item.properties == ["blank", "found", "kept", "passing"])
  }

  @Test("properties of an entity include those it inherits")
  func inherited() throws {
    let schema = try M.schema(
      M.entity("Base", M.attribute("name")), M.entity("Child", parent: "Base", M.attribute("age")))
    #expect(schema.entity(named: "Child")?.properties == ["age", "name"])
    #expect(schema.entity(named: "Base")?.properties == ["name"])
    #expect(schema.tables[0].column(named: "ZAGE")?.property == PropertyReference("Child", "age"))
  }

  @Test("columns that would have one name are refused")
  func sameColumn() throws {
    let error = #expect(throws: Failure.self) {
      try M.schema(
        M.entity("Root", M.attribute("a1")), M.entity("A", parent: "Root", M.attribute("a")),
        M.entity("B", parent: "Root", M.attribute("A")))
    }
    #expect(error?.why.contains("ZA1") == true)
  }
}

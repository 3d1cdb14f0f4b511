import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Tables of pairs") struct JoinTablesTests {
  @Test("the lower number is the master, and names the table and its first column")
  func lowerNumber() throws {
    let schema = try M.schema(
      M.entity("Tag", M.toMany("posts", "Post", inverse: "tags")),
      M.entity("Post", M.toMany("tags", "Tag", inverse: "posts")))
    #expect(
      schema.joinTables.map(\.sql) == [
        "CREATE TABLE Z_1TAGS ( Z_1POSTS INTEGER, Z_2TAGS INTEGER, "
          + "PRIMARY KEY (Z_1POSTS, Z_2TAGS) )"
      ])
    #expect(
      schema.indexes.map(\.sql) == [
        "CREATE INDEX Z_1TAGS_Z_2TAGS_INDEX ON Z_1TAGS (Z_2TAGS, Z_1POSTS)"
      ])
    #expect(schema.doubts.isEmpty)
  }

  @Test("the column of a relationship that is its own inverse takes its name from others")
  func reflexiveName() throws {
    let schema = try M.schema(
      M.entity("Visit", M.toMany("price", "Road", inverse: "groups")),
      M.entity(
        "Road", M.toMany("price", "Road", inverse: "price"),
        M.toMany("groups", "Visit", inverse: "price", ordered: true)))
    #expect(schema.joinTable(named: "Z_1PRICE")?.columns == ["Z_1PRICE", "REFLEXIVE"])
    #expect(
      schema.joinTable(named: "Z_1GROUPS")?.columns == ["Z_1PRICE1", "Z_2GROUPS", "Z_FOK_2GROUPS"])
  }

  @Test("each side knows which column holds its own keys")
  func sides() throws {
    let schema = try M.schema(
      M.entity("Tag", M.toMany("posts", "Post", inverse: "tags")),
      M.entity("Post", M.toMany("tags", "Tag", inverse: "posts")))
    guard case .manyToMany(let tags) = schema.entity(named: "Post")?["tags"],
      case .manyToMany(let posts) = schema.entity(named: "Tag")?["posts"]
    else {
      Issue.record("no table of pairs")
      return
    }
    #expect([tags.source, tags.destination] == ["Z_1POSTS", "Z_2TAGS"])
    #expect([posts.source, posts.destination] == ["Z_2TAGS", "Z_1POSTS"])
    #expect(schema.joinTable(named: tags.table)?.master == PropertyReference("Post", "tags"))
  }

  @Test("the entity whose name comes first is the master, with sub-entities or without")
  func subentities() throws {
    let schema = try M.schema(
      M.entity("Aaa", M.toMany("things", "Thing", inverse: "owners")),
      M.entity("Thing", M.toMany("owners", "Aaa", inverse: "things")),
      M.entity("Special", parent: "Thing"))
    #expect(schema.joinTables.map(\.name) == ["Z_1THINGS"])
    #expect(schema.joinTables[0].columns == ["Z_1OWNERS", "Z_2THINGS"])
  }

  @Test("a sub-entity that is met first makes a relationship of its parent the master")
  func inheritedMaster() throws {
    let schema = try M.schema(
      M.entity("Album", parent: "GenericAlbum"),
      M.entity("AlbumList", M.toMany("albums", "GenericAlbum", inverse: "lists")),
      M.entity("GenericAlbum", M.toMany("lists", "AlbumList", inverse: "albums")))
    #expect(schema.joinTables.map(\.name) == ["Z_2LISTS"])
  }

  @Test("each ordered direction has a column for places, the inverse's first")
  func ordered() throws {
    let schema = try M.schema(
      M.entity("Tag", M.toMany("posts", "Post", inverse: "tags", ordered: true)),
      M.entity("Post", M.toMany("tags", "Tag", inverse: "posts", ordered: true)))
    let table = schema.joinTables[0]
    #expect(table.columns == ["Z_1POSTS", "Z_2TAGS", "Z_FOK_1POSTS", "Z_FOK_2TAGS"])
    guard case .manyToMany(let tags) = schema.entity(named: "Post")?["tags"] else {
      Issue.record("no table of pairs")
      return
    }
    #expect(tags.position == "Z_FOK_2TAGS")
  }

  @Test("a relationship that is its own inverse has a reflexive table")
  func reflexive() throws {
    let schema = try M.schema(
      M.entity("Person", M.toMany("friends", "Person", inverse: "friends", ordered: true)))
    #expect(
      schema.joinTables.map(\.sql) == [
        "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, "
          + "FOK_REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )"
      ])
    #expect(schema.indexes.map(\.name) == ["Z_1FRIENDS_REFLEXIVE_INDEX"])
    #expect(schema.joinTables[0].isReflexive)
    #expect(schema.doubts.isEmpty)
  }

  @Test("columns of one entity that would have one name get a suffix")
  func collision() throws {
    let schema = try M.schema(
      M.entity("Book", M.toMany("authors", "Person", inverse: "works")),
      M.entity("Disc", M.toMany("artists", "Person", inverse: "Works")),
      M.entity(
        "Person", M.toMany("works", "Book", inverse: "authors"),
        M.toMany("Works", "Disc", inverse: "artists")))
    #expect(
      schema.joinTables.map(\.columns) == [
        ["Z_1WORKS", "Z_3AUTHORS"], ["Z_2WORKS", "Z_3ARTISTS"],
      ])
    let twice = try M.schema(
      M.entity("Book", M.toMany("people", "Person", inverse: "books")),
      M.entity("Disc", M.toMany("people", "Person", inverse: "discs")),
      M.entity(
        "Person", M.toMany("books", "Book", inverse: "people"),
        M.toMany("discs", "Disc", inverse: "people")))
    #expect(twice.joinTables.map(\.second) == ["Z_3PEOPLE", "Z_3PEOPLE1"])
  }

  private static let tree = M.entity(
    "Node", M.toMany("links", "Node", inverse: "backs"),
    M.toMany("backs", "Node", inverse: "links"))

  @Test("between objects of one entity the order of its keys decides, without a doubt")
  func oneEntity() throws {
    let schema = try M.schema(Self.tree)
    #expect(schema.joinTables.count == 1)
    #expect(schema.doubts.isEmpty)
  }

  @Test("a store whose table the other one names is taken as it is")
  func masters() throws {
    let model = try ModelText.model(Self.tree)
    let masters = try StoreSchema.masters(of: model, among: ["ZNODE", "Z_1BACKS"])
    #expect(masters == [PropertyReference("Node", "backs")])
    let schema = try StoreSchema(of: model, masters: masters)
    #expect(schema.joinTables.map(\.name) == ["Z_1BACKS"])
    #expect(schema.joinTables[0].columns == ["Z_1LINKS", "Z_1BACKS"])
    #expect(schema.doubts.isEmpty)
    #expect(try StoreSchema.masters(of: model, among: ["Z_1LINKS"]).isEmpty)
    #expect(try StoreSchema.masters(of: model, among: ["ZNODE"]).isEmpty)
  }

  @Test("a transient side leaves nothing to store")
  func transient() throws {
    var tag = Entity(name: "Tag")
    var posts = Relationship(name: "posts", destination: "Post")
    posts.inverseName = "tags"
    posts.isTransient = true
    tag.relationships = [posts]
    var post = Entity(name: "Post")
    var tags = Relationship(name: "tags", destination: "Tag")
    tags.inverseName = "posts"
    post.relationships = [tags]
    let schema = try StoreSchema(of: Model(name: "Test", entities: [tag, post]))
    #expect(schema.joinTables.isEmpty)
    #expect(schema.entity(named: "Post")?["tags"] == .notStored(.transient))
  }

  @Test("an inherited relationship takes the number of the entity that declares it")
  func declared() throws {
    let schema = try M.schema(
      M.entity("Base"),
      M.entity("Child", parent: "Base", M.toMany("tags", "Tag", inverse: "owners")),
      M.entity("Grandchild", parent: "Child"),
      M.entity("Tag", M.toMany("owners", "Child", inverse: "tags")))
    #expect(schema.joinTables.map(\.columns) == [["Z_2OWNERS", "Z_4TAGS"]])
    #expect(schema.entity(named: "Grandchild")?["tags"] == schema.entity(named: "Child")?["tags"])
  }
}

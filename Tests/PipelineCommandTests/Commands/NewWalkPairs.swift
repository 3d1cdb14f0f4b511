import StoreTestSupport

/// The pairs of versions that are walked.
enum NewWalkPairs {
  private typealias Pair = NewWalkTests.Pair

  private static func entity(_ name: String, _ body: String...) -> String {
    "<entity name=\"\(name)\">\(body.joined())</entity>"
  }

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  private static func unique(_ names: String...) -> String {
    let parts = names.map { "<constraint value=\"\($0)\"/>" }.joined()
    return "<uniquenessConstraints><uniquenessConstraint>\(parts)</uniquenessConstraint>"
      + "</uniquenessConstraints>"
  }

  private static let optional = "optional=\"YES\""

  private static func items(_ column: String, _ values: String...) -> String {
    let rows = values.enumerated().map { "(\($0 + 1), 1, 1, \($1))" }.joined(separator: ", ")
    return "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES \(rows);"
      + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(values.count) WHERE Z_NAME = 'Item';"
  }

  private static let name = attribute("name", "String")
  private static let item = entity("Item", name)
  private static let two = items("ZNAME", "'a'", "'b'")

  private static func pair(
    _ what: String, _ versions: String..., rows: String = two, undecided: String...,
    isRefused: Bool = false
  ) -> Pair {
    Pair(
      testDescription: what, versions: versions, rows: rows, undecided: undecided,
      isRefused: isRefused)
  }

  private static func colored(_ item: String) -> String {
    entity(
      "Color", attribute("hex", "String"),
      "<relationship name=\"items\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Item\" "
        + "inverseName=\"color\" inverseEntity=\"Item\"/>", unique("hex"))
      + entity(
        "Item", name,
        "<relationship name=\"color\" \(item) maxCount=\"1\" destinationEntity=\"Color\" "
          + "inverseName=\"items\" inverseEntity=\"Color\"/>")
  }

  private static func link(
    _ name: String, to far: String, _ inverse: String, isMany: Bool = false,
    _ more: String = optional
  ) -> String {
    "<relationship name=\"\(name)\" \(more) \(isMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
      + "destinationEntity=\"\(far)\" inverseName=\"\(inverse)\" inverseEntity=\"\(far)\"/>"
  }

  private static func address(_ owner: String) -> String {
    entity(
      "Address", attribute("street", "String", optional), attribute("city", "String"),
      link("owner", to: owner, "home"))
  }

  private static let place =
    attribute("street", "String", optional)
    + attribute("city", "String", optional)

  private static func folder(_ name: String, _ parent: String) -> String {
    entity(
      name, Self.name, link(parent, to: name, "parts"),
      link("parts", to: name, parent, isMany: true))
  }

  private static func album(_ more: String, _ photo: String...) -> String {
    entity(
      "Item", name, link("photos", to: "Photo", "item", isMany: true, "\(optional) \(more)"))
      + entity("Photo", photo.joined(), link("item", to: "Item", "photos"))
  }

  private static func child(_ name: String, _ body: String...) -> String {
    "<entity name=\"\(name)\" parentEntity=\"Item\">\(body.joined())</entity>"
  }

  private static func tagged(_ tags: String, _ items: String) -> String {
    entity("Item", name, link(tags, to: "Tag", items, isMany: true))
      + entity("Tag", name, link(items, to: "Item", tags, isMany: true))
  }

  private static let tags = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'x');
    INSERT INTO Z_1TAGS VALUES (1, 1), (2, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
    """

  private static func books(_ item: Int) -> String {
    """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, \(item), 1, 'a');
    INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'b');
    UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
    """
  }

  static let all: [NewWalkTests.Pair] = [
    pair(
      "a property that is called something else",
      entity("Item", attribute("phone", "String", optional)),
      entity("Item", attribute("telephone", "String", optional)),
      rows: items("ZPHONE", "'1'", "NULL"), undecided: "Item.phone"),
    pair(
      "a mandatory property that may be called something else",
      entity("Item", attribute("phone", "String")),
      entity("Item", attribute("telephone", "String")),
      rows: items("ZPHONE", "'1'", "'2'"), undecided: "Item.phone", "Item.telephone"),
    pair(
      "a mandatory attribute", item, entity("Item", name, attribute("size", "Integer 16")),
      undecided: "Item.size"),
    pair(
      "a unique attribute that is new", item,
      entity("Item", name, attribute("uid", "UUID"), unique("uid")), undecided: "Item.uid"),
    pair(
      "a unique attribute with a default", item,
      entity(
        "Item", name, attribute("code", "String", "defaultValueString=\"x\""), unique("code")),
      undecided: "Item.code", isRefused: true),
    pair(
      "an attribute that becomes unique", item, entity("Item", name, unique("name")),
      rows: items("ZNAME", "'a'", "'a'", "'b'"), undecided: "Item.name", isRefused: true),
    pair(
      "a unique attribute of old", entity("Item", name, unique("name")),
      entity("Item", name, attribute("size", "Integer 16"), unique("name")),
      undecided: "Item.size"),
    pair(
      "an attribute that becomes mandatory", entity("Item", attribute("name", "String", optional)),
      item, rows: items("ZNAME", "'a'", "NULL"), undecided: "Item.name", isRefused: true),
    pair(
      "an attribute that becomes mandatory and unique",
      entity("Item", attribute("name", "String", optional)), entity("Item", name, unique("name")),
      rows: items("ZNAME", "'a'", "NULL", "NULL", "'a'"), undecided: "Item.name",
      isRefused: true),
    pair(
      "a mandatory relationship", entity("Color", attribute("hex", "String"), unique("hex")) + item,
      colored(""),
      rows: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Item';
        """, undecided: "Item.color"),
    pair(
      "a relationship that becomes mandatory", colored("optional=\"YES\""), colored(""),
      rows: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Item';
        """, undecided: "Item.color", isRefused: true),
    pair(
      "a text that becomes a truth value", entity("Item", attribute("done", "String")),
      entity("Item", attribute("done", "Boolean")), rows: items("ZDONE", "'yes'", "'no'"),
      undecided: "Item.done"),
    pair(
      "a text that becomes a number", entity("Item", attribute("size", "String")),
      entity("Item", attribute("size", "Integer 32")), rows: items("ZSIZE", "'1'", "'20'")),
    pair(
      "texts that become a number, a date and a truth value of other names",
      entity(
        "Item", attribute("amount", "String", optional), attribute("flag", "String", optional),
        attribute("when", "String", optional)),
      entity(
        "Item", attribute("cents", "Integer 64", optional), attribute("date", "Date"),
        attribute("isDone", "Boolean", optional)),
      rows: items("ZAMOUNT, ZFLAG, ZWHEN", "'12.50', 'yes', '2020-02-02'", "'3.25', 'no', NULL"),
      undecided: "Item.amount", "Item.flag", "Item.when", "Item.date"),
    pair(
      "a mandatory relationship to a new entity that has one of its own",
      item,
      entity("Item", name, link("box", to: "Box", "items", ""))
        + entity(
          "Box", attribute("label", "String"), link("items", to: "Item", "box", isMany: true),
          link("shelf", to: "Shelf", "boxes", ""))
        + entity("Shelf", name, link("boxes", to: "Box", "shelf", isMany: true)),
      undecided: "Item.box"),
    pair(
      "an entity with most of the properties of another one",
      entity("Item", name, attribute("size", "Integer 16")),
      entity(
        "Article", name, attribute("size", "Integer 16"), attribute("a", "String", optional),
        attribute("b", "String", optional), attribute("c", "String", optional)),
      rows: items("ZNAME, ZSIZE", "'a', 1", "'b', 2"), undecided: "Item"),
    pair(
      "an entity in two parts",
      entity("Item", name, attribute("image", "Binary", optional)),
      entity(
        "Item", name,
        "<relationship name=\"photo\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Photo\" "
          + "inverseName=\"item\" inverseEntity=\"Photo\"/>")
        + entity(
          "Photo", attribute("data", "Binary", optional),
          "<relationship name=\"item\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Item\" "
            + "inverseName=\"photo\" inverseEntity=\"Item\"/>"),
      rows: items("ZNAME, ZIMAGE", "'a', x'01'", "'b', NULL"), undecided: "Item.image"),
    pair(
      "an entity that is called something else", item, entity("Article", name), undecided: "Item"),
    pair(
      "three versions", entity("Item", name, attribute("note", "String", optional)),
      entity("Item", name, attribute("size", "Integer 16")),
      entity(
        "Item", name, attribute("size", "Integer 16"), attribute("code", "String"),
        unique("code"), unique("name")),
      rows: items("ZNAME, ZNOTE", "'a', 'b'", "'c', NULL"), undecided: "Item.note", "Item.size",
      "Item.code",
      "Item.name"),
    pair(
      "attributes that move to an entity of their own", entity("Item", name, place),
      entity("Item", name, link("home", to: "Address", "owner")) + address("Item"),
      rows: items("ZNAME, ZSTREET, ZCITY", "'a', 'b', NULL", "'c', NULL, 'd'", "'e', NULL, NULL"),
      undecided: "Item.city", "Item.street"),
    pair(
      "a relationship to the entity itself", folder("Item", "whole"), folder("Item", "wholeItem"),
      rows: items("ZNAME, ZWHOLE", "'a', NULL", "'b', 1"), undecided: "Item.parts",
      "Item.whole"),
    pair(
      "a list that becomes ordered, of objects that need a value",
      album("", attribute("file", "String", optional)),
      album("ordered=\"YES\"", attribute("file", "String")),
      rows: items("ZNAME", "'a'")
        + "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZITEM, ZFILE) VALUES (1, 2, 1, 1, 'x'), "
        + "(2, 2, 1, 1, NULL); UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Photo';",
      undecided: "Photo.file", isRefused: true),
    pair(
      "an entity in two parts, with a property that is called something else",
      entity("Item", name, attribute("phone", "String", optional), place),
      entity(
        "Item", name, attribute("telephone", "String", optional),
        link("home", to: "Address", "owner"))
        + address("Item"),
      rows: items(
        "ZNAME, ZPHONE, ZSTREET, ZCITY", "'a', '1', 'b', 'c'", "'d', NULL, NULL, 'e'"),
      undecided: "Item.city", "Item.phone", "Item.street"),
    pair(
      "a relationship to many, both ways, that is called something else", tagged("tags", "items"),
      tagged("labels", "items"), rows: tags, undecided: "Item.tags", "Tag.items"),
    pair(
      "a relationship to many with two new names", tagged("tags", "items"),
      tagged("tagList", "members"), rows: tags, undecided: "Item.tags", "Tag.items"),
    pair(
      "an entity that gets a parent", item + entity("Book", attribute("title", "String")),
      item + child("Book"), rows: books(2), undecided: "Item", "Book.title", "Item.name"),
    pair(
      "an entity that loses its parent", item + child("Book", attribute("title", "String")),
      item + entity("Book", attribute("title", "String"), attribute("code", "String")),
      rows: two + "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZTITLE) VALUES "
        + "(3, 2, 1, 'c', 'd'); UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Item';",
      undecided: "Book.name", "Book.code"),
    pair(
      "an attribute of a parent that becomes mandatory",
      entity("Item", attribute("name", "String", optional)) + child("Book"), item + child("Book"),
      rows: items("ZNAME", "'a'", "NULL")
        + "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 2, 1, NULL);"
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Item';",
      undecided: "Item.name", isRefused: true),
    pair(
      "a transformable attribute that becomes mandatory",
      entity("Item", name, attribute("colors", "Transformable", optional)),
      entity("Item", name, attribute("colors", "Transformable")),
      undecided: "Item.colors", isRefused: true),
    pair(
      "a number in another unit", entity("Item", attribute("distanceMiles", "Double", optional)),
      entity("Item", attribute("distanceKm", "Double", optional)),
      rows: items("ZDISTANCEMILES", "1.5", "NULL"), undecided: "Item.distanceMiles"),
    pair(
      "a relationship to many, both ways, that becomes an entity", tagged("tags", "items"),
      entity("Item", name, link("taggings", to: "Tagging", "item", isMany: true))
        + entity("Tag", name, link("taggings", to: "Tagging", "tag", isMany: true))
        + entity(
          "Tagging", link("item", to: "Item", "taggings", ""),
          link("tag", to: "Tag", "taggings", "")),
      rows: tags, undecided: "Item.tags"),
  ]
}

import CoreDataStore
import StorePipeline
import TestSupport
import Testing

@Suite("Whole migrations of hierarchies", .temporaryFolder)
struct HierarchyConformanceTests {
  private typealias Pair = MadePair

  /// Cats with a name and a vet, visits that lead to cats.
  private static let cats =
    Pair.entity("Cat", nil, Pair.text("name")) + Pair.entity("Visit", nil, Pair.one("who", "Cat"))
  private static let catRows = """
    INSERT INTO ZCAT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 1, 3, 'Tom'), (5, 1, 1, NULL);
    INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZWHO) VALUES
      (1, 2, 1, 5), (2, 2, 1, 2), (3, 2, 1, NULL);
    """

  @Test("a parent is added and takes a property up: the table, the numbers and the links follow")
  func parentAdded() async throws {
    let after =
      Pair.entity("Animal", nil, Pair.text("name")) + Pair.entity("Cat", "Animal")
      + Pair.entity("Visit", nil, Pair.one("who", "Animal"))
    let pair = try Pair(Self.cats, after, rows: Self.catRows)
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZANIMAL ORDER BY 1")
        == ["2|2|3|Tom", "5|2|1|NULL"])
    // The destination has heirs now, so that its entity stands next to the key.
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, ZWHO, Z1_WHO FROM ZVISIT ORDER BY 1")
        == ["1|3|5|2", "2|3|2|2", "3|3|NULL|NULL"])
    #expect(
      try pair.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
        == ["1|Animal|0|5", "2|Cat|1|0", "3|Visit|0|3"])
  }

  @Test("a child is added: the numbers behind it move, and its parent's links get an entity")
  func childAdded() async throws {
    let after = Self.cats + Pair.entity("Kitten", "Cat", Pair.text("toy"))
    let pair = try Pair(Self.cats, after, rows: Self.catRows)
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, ZNAME, ZTOY FROM ZCAT ORDER BY 1")
        == ["2|1|Tom|NULL", "5|1|NULL|NULL"])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, ZWHO, Z1_WHO FROM ZVISIT ORDER BY 1")
        == ["1|3|5|1", "2|3|2|1", "3|3|NULL|NULL"])
  }

  /// Animals, which are cats and dogs; visits that lead to cats, and friends among animals.
  private static let family =
    Pair.entity("Animal", nil, Pair.text("name"), Pair.one("friend", "Animal"))
    + Pair.entity("Cat", "Animal") + Pair.entity("Dog", "Animal", Pair.text("bark"))
    + Pair.entity("Visit", nil, Pair.one("cat", "Cat"), Pair.one("dog", "Dog"))
  private static let familyRows = """
    INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBARK, ZFRIEND, Z1_FRIEND) VALUES
      (1, 2, 1, 'Tom', NULL, 4, 3), (2, 2, 1, 'Kit', NULL, NULL, NULL),
      (3, 3, 1, 'Rex', 'wuff', 1, 2), (4, 3, 2, 'Bob', NULL, 3, 3);
    INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZCAT, ZDOG) VALUES (1, 4, 1, 2, 4), (2, 4, 1, 1, NULL);
    """

  @Test("entities leave a hierarchy, a property moves down: tables of their own, the same keys")
  func left() async throws {
    let after =
      Pair.entity("Cat", nil, Pair.text("name"))
      + Pair.entity("Dog", nil, Pair.text("name"), Pair.text("bark"))
      + Pair.entity("Visit", nil, Pair.one("cat", "Cat"), Pair.one("dog", "Dog"))
    let pair = try Pair(Self.family, after, rows: Self.familyRows)
    let answer = try await pair.run("drop { \"Animal.friend\" }")
    #expect(answer.faults == [])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZCAT ORDER BY 1") == ["1|1|Tom", "2|1|Kit"])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZBARK FROM ZDOG ORDER BY 1")
        == ["3|2|1|Rex|wuff", "4|2|2|Bob|NULL"])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, ZCAT, ZDOG FROM ZVISIT ORDER BY 1")
        == ["1|3|2|4", "2|3|1|NULL"])
    // Keys are kept, so that no new object may get one that an old object URI still means.
    #expect(
      try pair.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
        == ["Cat|4", "Dog|4", "Visit|2"])
  }

  @Test("a property moves down to both children: two columns, each with its own objects' values")
  func movedDown() async throws {
    let after =
      Pair.entity("Animal", nil, Pair.one("friend", "Animal"))
      + Pair.entity("Cat", "Animal", Pair.text("name"))
      + Pair.entity("Dog", "Animal", Pair.text("bark"), Pair.text("name"))
      + Pair.entity("Visit", nil, Pair.one("cat", "Cat"), Pair.one("dog", "Dog"))
    let pair = try Pair(Self.family, after, rows: Self.familyRows)
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows(
        "SELECT Z_PK, Z_ENT, ZNAME, ZNAME1, ZBARK, ZFRIEND, Z1_FRIEND FROM ZANIMAL ORDER BY 1")
        == [
          "1|2|Tom|NULL|NULL|4|3", "2|2|Kit|NULL|NULL|NULL|NULL", "3|3|NULL|Rex|wuff|1|2",
          "4|3|NULL|Bob|NULL|3|3",
        ])
  }

  @Test("a property of both children moves up: two columns become one")
  func movedUp() async throws {
    let before =
      Pair.entity("Animal") + Pair.entity("Cat", "Animal", Pair.text("name"))
      + Pair.entity("Dog", "Animal", Pair.text("name"))
    let after =
      Pair.entity("Animal", nil, Pair.text("name")) + Pair.entity("Cat", "Animal")
      + Pair.entity("Dog", "Animal")
    let rows = """
      INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNAME1) VALUES
        (1, 2, 1, 'Tom', NULL), (2, 3, 1, NULL, 'Rex'), (3, 1, 1, NULL, NULL);
      """
    let pair = try Pair(before, after, rows: rows)
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZANIMAL ORDER BY 1")
        == ["1|2|Tom", "2|3|Rex", "3|1|NULL"])
  }
}

// Roots that become one.

extension HierarchyConformanceTests {
  private static let apart =
    Pair.entity("Cat", nil, Pair.text("name"), Pair.many("owners", "Person", "cats"))
    + Pair.entity(
      "Dog", nil, Pair.text("name"), Pair.one("chases", "Cat"),
      Pair.many("owners", "Person", "dogs"))
    + Pair.entity(
      "Person", nil, Pair.text("name"), Pair.many("cats", "Cat", "owners", "ordered=\"YES\""),
      Pair.many("dogs", "Dog", "owners"))
    + Pair.entity("Visit", nil, Pair.one("who", "Dog"))

  private static let together =
    Pair.entity("Animal", nil, Pair.text("name"))
    + Pair.entity("Cat", "Animal", Pair.many("owners", "Person", "cats"))
    + Pair.entity(
      "Dog", "Animal", Pair.one("chases", "Animal"), Pair.many("owners", "Person", "dogs"))
    + Pair.entity(
      "Person", nil, Pair.text("name"), Pair.many("cats", "Cat", "owners", "ordered=\"YES\""),
      Pair.many("dogs", "Dog", "owners"))
    + Pair.entity("Visit", nil, Pair.one("who", "Animal"))

  /// Cats 1 and 2 and dogs 1, 2 and 3; history of a cat, a dog and a dog that is gone.
  private static let apartRows = """
    INSERT INTO ZCAT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Tom'), (2, 1, 4, 'Kit');
    INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCHASES) VALUES
      (1, 2, 1, 'Rex', 2), (2, 2, 5, 'Bob', NULL), (3, 2, 1, 'Leo', 1);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'Ann'), (2, 3, 1, 'Ben');
    INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZWHO) VALUES (1, 4, 1, 3), (2, 4, 1, 1);
    INSERT INTO Z_1OWNERS (Z_1CATS, Z_3OWNERS, Z_FOK_1CATS) VALUES
      (1, 1, 3072), (2, 1, 2048), (1, 2, 2048);
    INSERT INTO Z_2OWNERS (Z_2DOGS, Z_3OWNERS1) VALUES (3, 1), (1, 2);
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT) VALUES (1, 16002, 1);
    INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES
      (1, 16001, 1, 0, 1, 2, 1), (2, 16001, 1, 1, 2, 3, 1), (3, 16001, 1, 2, 2, 9, 1),
      (4, 16001, 1, 0, 3, 1, 1);
    """

  private static let rules = """
    map { entity = "Cat", from = "Cat" }, map { entity = "Dog", from = "Dog" },
    """

  @Test("inference refuses to merge roots, and says what settles it")
  func refusedMerge() throws {
    let pair = try Pair(Self.apart, Self.together, rows: Self.apartRows, keepsHistory: true)
    let messages = try pair.plan().problems.map(\.message)
    #expect(messages.count == 1)
    #expect(messages.first?.contains("Core Data cannot merge Cat and Dog") == true)
    #expect(messages.first?.contains(#"map { entity = "Dog", from = "Dog" }"#) == true)
  }

  @Test("roots are merged: new keys where they collide, and all that leads there follows")
  func merged() async throws {
    let pair = try Pair(Self.apart, Self.together, rows: Self.apartRows, keepsHistory: true)
    let answer = try await pair.run(Self.rules)
    #expect(answer.faults == [])
    #expect(
      try pair.rows("SELECT ZNAME, Z_ENT, Z_OPT FROM ZANIMAL ORDER BY 1")
        == ["Bob|3|5", "Kit|2|4", "Leo|3|1", "Rex|3|1", "Tom|2|1"])
    // One family keeps its keys; the other's are above all that either had.
    #expect(try pair.rows("SELECT Z_PK FROM ZANIMAL WHERE Z_ENT = 2 ORDER BY 1") == ["1", "2"])
    #expect(
      try pair.rows("SELECT count(*) FROM ZANIMAL WHERE Z_ENT = 3 AND Z_PK > 3") == ["3"])
    #expect(
      try pair.rows(
        """
        SELECT d.ZNAME, c.ZNAME, d.Z1_CHASES FROM ZANIMAL AS d
        JOIN ZANIMAL AS c ON c.Z_PK = d.ZCHASES AND c.Z_ENT = d.Z1_CHASES ORDER BY 1
        """) == ["Leo|Tom|2", "Rex|Kit|2"])
    #expect(
      try pair.rows(
        """
        SELECT v.Z_PK, a.ZNAME, v.Z1_WHO FROM ZVISIT AS v
        JOIN ZANIMAL AS a ON a.Z_PK = v.ZWHO AND a.Z_ENT = v.Z1_WHO ORDER BY 1
        """) == ["1|Leo|3", "2|Rex|3"])
  }

  @Test("join rows, their order and the history of merged roots lead to the same objects")
  func mergedPairs() async throws {
    let pair = try Pair(Self.apart, Self.together, rows: Self.apartRows, keepsHistory: true)
    #expect(try await pair.run(Self.rules).faults == [])
    #expect(
      try pair.rows(
        """
        SELECT p.ZNAME, a.ZNAME, j.Z_FOK_2CATS FROM Z_2OWNERS AS j
        JOIN ZPERSON AS p ON p.Z_PK = j.Z_4OWNERS JOIN ZANIMAL AS a ON a.Z_PK = j.Z_2CATS
        ORDER BY 1, 3
        """) == ["Ann|Kit|2048", "Ann|Tom|3072", "Ben|Tom|2048"])
    #expect(
      try pair.rows(
        """
        SELECT p.ZNAME, a.ZNAME FROM Z_3OWNERS AS j
        JOIN ZPERSON AS p ON p.Z_PK = j.Z_4OWNERS1 JOIN ZANIMAL AS a ON a.Z_PK = j.Z_3DOGS
        ORDER BY 1
        """) == ["Ann|Leo", "Ben|Rex"])
    #expect(
      try pair.rows(
        """
        SELECT h.Z_PK, h.ZCHANGETYPE, h.ZENTITY, a.ZNAME FROM ACHANGE AS h
        LEFT JOIN ZANIMAL AS a ON a.Z_PK = h.ZENTITYPK AND h.ZENTITY < 4 ORDER BY 1
        """) == ["1|0|2|Kit", "2|1|3|Leo", "4|0|4|NULL"])
  }
}

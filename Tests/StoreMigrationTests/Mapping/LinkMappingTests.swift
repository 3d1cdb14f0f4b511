import CoreDataStore
import StoreMigration
import Testing

@Suite("How links travel")
struct LinkMappingTests {
  /// The kinds that have `A.r`, or nothing, in the order of `answers`.
  static let kinds: [LinkKind] = [
    .none, .one, .oneToOne, .manyToOne, .many, .oneToMany, .manyToMany,
  ]

  /// What Core Data does, where it cannot choose one of many, and whose links end, because what
  /// holds those of the target is new.
  struct Answer: Equatable {
    let move: LinkMove
    var choices: [String] = []
    var losses: [String] = []
    /// How many parts the target's relationship has: each column of one to one may be one.
    var parts = 1
  }

  /// From each kind to each kind that has links, in the order of `kinds`.
  static let answers: [LinkKind: [Answer]] = [
    .none: Array(repeating: Answer(move: .empty), count: 6),
    .one: [
      Answer(move: .same), Answer(move: .same, parts: 2), Answer(move: .same),
      Answer(move: .empty, losses: ["A.r"]),
      Answer(move: .empty, choices: ["B.s"], losses: ["A.r"]), Answer(move: .columnToJoin),
    ],
    .oneToOne: [
      Answer(move: .same), Answer(move: .same), Answer(move: .same),
      Answer(move: .empty, losses: ["A.r", "B.s"]), Answer(move: .same),
      Answer(move: .columnToJoin),
    ],
    .manyToOne: [
      Answer(move: .same), Answer(move: .columnToColumn, choices: ["B.s"]), Answer(move: .same),
      Answer(move: .empty, losses: ["A.r", "B.s"]),
      Answer(move: .columnToColumn, choices: ["B.s"]), Answer(move: .columnToJoin),
    ],
    .many: [
      Answer(move: .columnToColumn, choices: ["A.r"]),
      Answer(move: .columnToColumn, choices: ["A.r"], parts: 2),
      Answer(move: .columnToColumn, choices: ["A.r"]), Answer(move: .same), Answer(move: .same),
      Answer(move: .columnToJoin),
    ],
    .oneToMany: [
      Answer(move: .columnToColumn, choices: ["A.r"]),
      Answer(move: .columnToColumn, choices: ["A.r"]),
      Answer(move: .columnToColumn, choices: ["A.r"]), Answer(move: .same), Answer(move: .same),
      Answer(move: .columnToJoin),
    ],
    .manyToMany: [
      Answer(move: .joinToColumn, choices: ["A.r"]),
      Answer(move: .joinToColumn, choices: ["A.r", "B.s"]),
      Answer(move: .joinToColumn, choices: ["A.r"]),
      Answer(move: .empty, losses: ["A.r", "B.s"]),
      Answer(move: .joinToColumn, choices: ["B.s"]), Answer(move: .same),
    ],
  ]

  @Test("every kind of relationship to every other", arguments: kinds, kinds)
  func pair(from: LinkKind, to: LinkKind) throws {
    let mapping = try MappingModels.mapping(from.xml(), to.xml())
    guard to != .none else {
      #expect(mapping.links.isEmpty)
      let isLost = mapping.problems.contains { $0.kind == .loss && $0.subject == "A.r" }
      #expect(isLost == (from != .none))
      return
    }
    let answers = try #require(Self.answers[from])
    let kinds = Self.kinds.dropFirst()
    let answer = answers[try #require(kinds.firstIndex(of: to)) - kinds.startIndex]
    let link = try #require(mapping.links.first)
    #expect(mapping.links.count == answer.parts)
    #expect(link.move == answer.move)
    #expect(link.mayDiscard == (answer.move != .empty && !answer.choices.isEmpty))
    let (losses, refusals) = (
      mapping.problems.filter { $0.kind == .loss },
      mapping.problems.filter { $0.kind == .notInferable }
    )
    #expect(Set(refusals.map(\.subject)) == Set(answer.choices))
    #expect(Set(losses.map(\.subject)) == Set(answer.losses))
    for (entity, property) in [("A", "r"), ("B", "s")] {
      let fate = mapping.objects(from: entity)?.fate(of: property)
      let isLost = fate == .dropped(isDeclared: false)
      #expect(isLost == answer.losses.contains("\(entity).\(property)"))
    }
  }

  @Test("a declared choice settles each", arguments: kinds, kinds)
  func chosen(from: LinkKind, to: LinkKind) throws {
    guard to != .none else { return }
    let open = try MappingModels.mapping(from.xml(), to.xml())
    let names = Set(open.problems.map(\.subject))
    let mapping = try MappingModels.mapping(from.xml(), to.xml()) { instructions in
      instructions.choices = names.map { LinkChoice($0, keep: .last) }
    }
    #expect(mapping.problems.isEmpty)
    let link = try #require(mapping.links.first)
    #expect(link.move != .empty || from == .none)
    #expect([link.forward, link.backward].allSatisfy { $0.keep == ($0.narrows ? .last : nil) })
  }

  @Test(
    "order keys travel, are given, or end",
    arguments: [LinkKind.many, .oneToMany, .manyToMany], [LinkKind.many, .oneToMany, .manyToMany])
  func order(from: LinkKind, to: LinkKind) throws {
    // No links come over.
    if from == .manyToMany, to == .many { return }
    for (before, after, order) in [
      (false, false, LinkMapping.Order.none), (true, true, .kept), (false, true, .numbered),
      (true, false, .dropped),
    ] {
      let mapping = try MappingModels.mapping(
        from.xml(isOrdered: before), to.xml(isOrdered: after))
      let link = try #require(mapping.links.first)
      let direction = link.forward.target?.property == "r" ? link.forward : link.backward
      #expect(direction.order == order)
      #expect(mapping.isInferable || from == .manyToMany)
    }
  }

  @Test(
    "an ordered to-many that was to-one gets its first keys", arguments: [LinkKind.one, .manyToOne])
  func newlyOrdered(from: LinkKind) throws {
    let mapping = try MappingModels.mapping(from.xml(), LinkKind.manyToMany.xml(isOrdered: true))
    #expect(mapping.links.map(\.forward.order) == [.numbered])
    #expect(mapping.isInferable)
  }

  @Test("both sides of an ordered many-to-many have an order of their own")
  func bothOrders() throws {
    let mapping = try MappingModels.mapping(
      LinkKind.manyToMany.xml(isOrdered: true), LinkKind.oneToMany.xml(isOrdered: true))
    let link = try #require(mapping.links.first)
    let ends = Dictionary(
      [link.forward, link.backward].map { ($0.target?.property ?? "", $0.order) }
    ) { first, _ in first }
    #expect(ends == ["r": .kept, "s": .dropped])
  }

  @Test("two separate relationships that become inverses: the one to one object knows better")
  func separate() throws {
    let before = """
      <entity name="A"><relationship name="r" optional="YES" destinationEntity="B"/></entity>
      <entity name="B">
        <relationship name="s" optional="YES" maxCount="1" destinationEntity="A"/></entity>
      """
    let mapping = try MappingModels.mapping(before, LinkKind.oneToMany.xml())
    #expect(mapping.links.map(\.forward.source) == [PropertyReference("B", "s")])
    #expect(mapping.problems.map(\.subject) == ["A.r"])
    #expect(mapping.problems.map(\.kind) == [.loss])
    let settled = try MappingModels.mapping(before, LinkKind.oneToMany.xml()) {
      $0.drops = [NamedInstruction("A.r")]
    }
    #expect(settled.problems.isEmpty)
  }

  @Test("links of two relationships that meet at one object: each column takes over its own")
  func meeting() throws {
    func pet(_ name: String, _ inverse: String, _ more: String = "") -> String {
      """
      <entity name="\(name)" \(more)><relationship name="owner" optional="YES" maxCount="1"
        destinationEntity="Person" inverseName="\(inverse)" inverseEntity="Person"/></entity>
      """
    }
    func person(_ pets: [(name: String, entity: String)], _ more: String = "") -> String {
      let body = pets.map { pet in
        """
        <relationship name="\(pet.name)" optional="YES" maxCount="1" \(more)
          destinationEntity="\(pet.entity)" inverseName="owner" inverseEntity="\(pet.entity)"/>
        """
      }
      return "<entity name=\"Person\">\(body.joined())</entity>"
    }
    let before =
      "<entity name=\"Pet\"/>" + pet("Dog", "dog", "parentEntity=\"Pet\"")
      + pet("Cat", "cat", "parentEntity=\"Pet\"") + person([("dog", "Dog"), ("cat", "Cat")])
    let after =
      pet("Pet", "pet") + "<entity name=\"Dog\" parentEntity=\"Pet\"/>"
      + "<entity name=\"Cat\" parentEntity=\"Pet\"/>"
      + person([("pet", "Pet")], "elementID=\"dog\"")
    let mapping = try MappingModels.mapping(before, after)
    let name = PropertyReference("Pet", "owner")
    let sources = mapping.links(of: name).map(\.forward.source?.property)
    #expect(sources == ["owner", "owner"])
    let pet = mapping.links(of: PropertyReference("Person", "pet"))
    #expect(pet.map(\.forward.source) == [PropertyReference("Person", "dog")])
    #expect(mapping.problems.isEmpty)
    let chosen = try MappingModels.mapping(before, after) {
      $0.choices = [LinkChoice("Person.cat", keep: .first)]
    }
    #expect(chosen.problems.isEmpty && chosen.links.contains(where: \.mayDiscard))
  }

  @Test("relationships to one object that come together in one are not said to lead to many")
  func together() throws {
    func model(_ trades: [(name: String, link: String)]) -> String {
      let links = trades.map { name, link in
        """
        <relationship name="\(link)" optional="YES" maxCount="1" destinationEntity="\(name)"
          inverseName="repairs" inverseEntity="\(name)"/>
        """
      }
      let people = trades.map { name, link in
        """
        <entity name="\(name)"><relationship name="repairs" optional="YES" toMany="YES"
          destinationEntity="Repair" inverseName="\(link)" inverseEntity="Repair"/></entity>
        """
      }
      return "<entity name=\"Repair\">\(links.joined())</entity>" + people.joined()
    }
    let mapping = try MappingModels.mapping(
      model([("Electrician", "electrician"), ("Plumber", "plumber")]),
      model([("Contractor", "contractor")])
    ) {
      $0.renames = [EntityRename(entity: "Electrician", to: "Contractor")]
      $0.maps = [EntityMap(entity: "Contractor", from: "Plumber")]
      $0.choices = [LinkChoice("Repair.plumber", keep: .first)]
    }
    #expect(
      mapping.problems.first { $0.subject == "Repair.electrician" }?.why
        == "Other relationships come together with it in Repair.contractor, which leads to one "
        + "object.")
  }

  @Test("a to-many that gives way to a to-one of another name is new, and its inverse is kept")
  func otherOne() throws {
    let badge = """
      <entity name="Badge"><relationship name="clerk" optional="YES" maxCount="1"
        destinationEntity="Clerk" inverseName="%" inverseEntity="Clerk"/></entity>
      """
    func clerk(_ name: String, _ more: String) -> String {
      badge.replacing("%", with: name)
        + """
        <entity name="Clerk"><relationship name="\(name)" optional="YES" \(more)
          destinationEntity="Badge" inverseName="clerk" inverseEntity="Badge"/></entity>
        """
    }
    let mapping = try MappingModels.mapping(clerk("badges", ""), clerk("badge", "maxCount=\"1\""))
    #expect(mapping.problems.isEmpty)
    let kept = mapping.links(of: PropertyReference("Badge", "clerk"))
    #expect(kept.map(\.move) == [.same])
    #expect(mapping.links(of: PropertyReference("Clerk", "badge")).map(\.move) == [.empty])
    #expect(mapping.objects(from: "Clerk")?.fate(of: "badges") == .moved(to: ["Badge.clerk"]))
  }

  @Test("links to an entity that did not come of the old destination are lost, and said so")
  func otherDestination() throws {
    func xml(_ destination: String) -> String {
      """
      <entity name="A"><relationship name="r" optional="YES" maxCount="1"
        destinationEntity="\(destination)"/></entity><entity name="B"/><entity name="C"/>
      """
    }
    let mapping = try MappingModels.mapping(xml("B"), xml("C"))
    #expect(mapping.problems.map(\.kind) == [.loss])
    #expect(mapping.problems.first?.why.contains("leads to C from now on") == true)
    #expect(mapping.links.map(\.move) == [.empty])
  }

  @Test("a relationship that is its own inverse")
  func reflexive() throws {
    func xml(_ settings: String) -> String {
      """
      <entity name="A"><relationship name="r" optional="YES" \(settings) destinationEntity="A"
        inverseName="r" inverseEntity="A"/></entity>
      """
    }
    let grown = try MappingModels.mapping(xml("maxCount=\"1\""), xml(""))
    #expect(grown.problems.isEmpty && grown.links.map(\.move) == [.columnToJoin])
    let shrunk = try MappingModels.mapping(xml(""), xml("maxCount=\"1\""))
    #expect(shrunk.problems.map(\.snippet) == ["one { \"A.r\", keep = \"first\" }"])
  }

  @Test("dropping one end of a link that could stay drops it all")
  func dropped() throws {
    let mapping = try MappingModels.mapping(LinkKind.oneToMany.xml(), LinkKind.oneToMany.xml()) {
      $0.drops = [NamedInstruction("A.r")]
    }
    #expect(mapping.problems.isEmpty)
    #expect(mapping.links.map(\.move) == [.empty])
    #expect(mapping.objects(from: "B")?.fate(of: "s") == .dropped(isDeclared: true))
  }

  @Test("a relationship that ends while its inverse stays loses nothing")
  func oneEnd() throws {
    let mapping = try MappingModels.mapping(LinkKind.manyToOne.xml(), LinkKind.one.xml())
    #expect(mapping.problems.isEmpty)
    #expect(mapping.objects(from: "B")?.fate(of: "s") == .moved(to: ["A.r"]))
  }

  @Test("an attribute to choose by must be there")
  func chooseBy() throws {
    let xml = { (kind: LinkKind) in
      kind.xml().replacing(
        "<entity name=\"B\">",
        with: """
          <entity name="B"><attribute name="created" optional="YES" attributeType="Date"/>
          """)
    }
    func mapping(_ attribute: String) throws -> Mapping {
      try MappingModels.mapping(xml(.many), xml(.one)) {
        $0.choices = [LinkChoice("A.r", keep: .lowest(attribute), line: 7)]
      }
    }
    #expect(try mapping("created").problems.isEmpty)
    let problem = try #require(try mapping("creatd").problems.first)
    #expect(problem.why.contains("did you mean created?") && problem.line == 7)
  }
}

import CoreDataStore
import StoreMigration
import Testing

@Suite("Names that wait for a decision")
struct UndecidedNamesTests {
  private typealias M = MappingModels

  private static let before = """
    <entity name="Item"><attribute name="old" optional="YES" attributeType="String"/></entity>
    <entity name="Visit"/>
    """
  private static let after = """
    <entity name="Item"><attribute name="code" attributeType="String"/></entity>
    """

  private func problems(
    others: [Model] = [], _ instruct: (inout MappingInstructions) -> Void
  ) throws -> [MappingProblem] {
    try M.mapping(Self.before, Self.after, others: others, instruct).problems
  }

  @Test("a listed loss is a problem of its own kind, at its own line, with what would settle it")
  func loss() throws {
    let found = try problems {
      $0.undecided = [NamedInstruction("Item.old", line: 3), NamedInstruction("Visit", line: 4)]
    }
    #expect(found.map(\.kind) == [.undecided, .undecided])
    #expect(found.map(\.line) == [3, 4])
    #expect(
      "\(found[0])" == """
        Item.old is undecided. The target has no place for it: what it holds would be lost.
        One answer: drop { "Item.old" }
        When you have decided, take its name out of 'undecided'.
        """)
  }

  @Test("what is listed stays a problem although a rule settles it, until its name is taken out")
  func settled() throws {
    let found = try problems {
      $0.undecided = [NamedInstruction("Item.old", line: 3)]
      $0.drops = [NamedInstruction("Item.old"), NamedInstruction("Visit")]
    }
    #expect(found.map(\.subject) == ["Item.old"])
    #expect(found.map(\.kind) == [.undecided])
  }

  @Test("a mandatory attribute that nothing fills may be listed, by its new name")
  func mandatory() throws {
    let found = try problems {
      $0.undecided = [NamedInstruction("Item.code", line: 3)]
      $0.drops = [NamedInstruction("Item.old"), NamedInstruction("Visit")]
    }
    #expect(
      found.map { "\($0)" } == [
        """
        Item.code is undecided. It is mandatory, and nothing gives it a value.
        Say what happens with a rule of 'copy', or in the script of its entity.
        When you have decided, take its name out of 'undecided'.
        """
      ])
  }

  @Test("what was mandatory before is not said to become so")
  func unique() throws {
    func item(_ more: String) -> String {
      "<entity name=\"Item\"><attribute name=\"code\" attributeType=\"String\"/>\(more)</entity>"
    }
    let unique =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/>"
      + "</uniquenessConstraint></uniquenessConstraints>"
    let found = try M.mapping(item(""), item(unique)) {
      $0.undecided = [NamedInstruction("Item.code", line: 3)]
    }.problems
    #expect(found.map(\.why) == ["code is unique, and objects that have the same end the run."])
  }

  @Test("a name that neither version has is a mistake with the nearest one")
  func unknown() throws {
    let found = try problems {
      $0.undecided = [NamedInstruction("Item.odl", line: 3), NamedInstruction("Vist", line: 4)]
      $0.drops = [NamedInstruction("Item.old"), NamedInstruction("Visit")]
    }
    #expect(found.map(\.kind) == [.instruction, .instruction])
    #expect(
      found.map(\.why) == [
        "The source's Item has no stored property odl; did you mean old?",
        "The source has no entity Vist; did you mean Visit?",
      ])
  }

  @Test("what another version has, and these two have not, waits for nothing here")
  func elsewhere() throws {
    let other = try M.model("<entity name=\"Later\"/>")
    let found = try problems(others: [other]) {
      $0.undecided = [NamedInstruction("Later", line: 3)]
      $0.drops = [NamedInstruction("Item.old"), NamedInstruction("Visit")]
    }
    #expect(found == [])
  }

  @Test("what an abstract parent declares is new where nothing gives it to those that inherit it")
  func abstract() throws {
    func family(_ code: String) -> String {
      """
      <entity name="Item" isAbstract="YES">\(code)</entity>
      <entity name="Book" parentEntity="Item"/>
      """
    }
    let code = "<attribute name=\"code\" attributeType=\"String\"/>"
    let found = try M.mapping(family(""), family(code)) {
      $0.undecided = [NamedInstruction("Item.code", line: 3)]
    }.problems
    #expect(found.map(\.why) == ["It is mandatory, and nothing gives it a value."])
  }
}

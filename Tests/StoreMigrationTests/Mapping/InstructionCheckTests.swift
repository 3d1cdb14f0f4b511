import CoreDataStore
import StoreMigration
import Testing

@Suite("Names in a pipeline file that mean nothing")
struct InstructionCheckTests {
  private typealias M = MappingModels

  private static let before = """
    <entity name="Bookmark">
      <attribute name="href" optional="YES" attributeType="String"/>
      <relationship name="tags" optional="YES" destinationEntity="Tag"/></entity>
    <entity name="Tag"/>
    """
  private static let after = """
    <entity name="Link"><attribute name="url" optional="YES" attributeType="String"/>
      <relationship name="tags" optional="YES" destinationEntity="Tag"/></entity>
    <entity name="Tag"/>
    """

  /// The reasons that belong to instructions.
  private func reasons(
    others: [Model] = [], _ instruct: (inout MappingInstructions) -> Void
  ) throws -> [String] {
    let mapping = try M.mapping(Self.before, Self.after, others: others, instruct)
    return mapping.problems.filter { $0.kind == .instruction }.map {
      "\($0.line ?? 0) \($0.subject): \($0.why)"
    }
  }

  @Test("each word of the file, with the nearest name, all at once")
  func all() throws {
    let reasons = try reasons {
      $0.renames = [
        EntityRename(entity: "Bokmark", to: "Lnk", line: 1),
        EntityRename(entity: "Bookmark", to: "Link", properties: ["hrf": "ulr"], line: 2),
      ]
      $0.maps = [
        EntityMap(entity: "Tga", line: 3), EntityMap(entity: "Tag", from: "Tagg", line: 4),
        EntityMap(
          entity: "Link",
          attributes: ["urll": .from("hreff"), "url": .convert("href", to: .unknown("Strng"))],
          line: 5),
      ]
      $0.drops = [NamedInstruction("Tagg", line: 6), NamedInstruction("Link.hreff", line: 7)]
      $0.filters = [
        ObjectFilter(entity: "Bookmrk", condition: "x", line: 8),
        ObjectFilter(entity: "Tag", condition: " ", line: 9),
      ]
      $0.choices = [
        LinkChoice("Bookmark.tgas", keep: .first, line: 10),
        LinkChoice("tags", keep: .first, line: 11),
      ]
      $0.acceptedLosses = [
        NamedInstruction("Bookmark.herf", line: 12), NamedInstruction("Nothing.*", line: 13),
        NamedInstruction("Nothing"),
      ]
    }
    #expect(
      reasons == [
        "1 rename: The target has no entity Lnk; did you mean Link?",
        "1 rename: The source has no entity Bokmark; did you mean Bookmark?",
        "2 rename: The source's Bookmark has no stored property hrf; did you mean href?",
        "2 rename: The target's Link has no stored property ulr; did you mean url?",
        "3 map: The target has no entity Tga; did you mean Tag?",
        "4 map: The source has no entity Tagg; did you mean Tag?",
        "5 map: There is no type Strng; did you mean String?",
        "5 map: The target's Link has no stored attribute urll; did you mean url?",
        "5 map: The source's Bookmark has no stored attribute hreff; did you mean href?",
        "6 drop: The source has no entity Tagg; did you mean Tag?",
        "7 drop: The source's Bookmark has no stored property hreff; did you mean href?",
        "8 where: The source has no entity Bookmrk; did you mean Bookmark?",
        "9 where: The condition for Tag is empty.",
        "10 one: The source's Bookmark has no stored relationship tgas; did you mean tags?",
        "11 one: \"tags\" is no relationship; write \"Entity.relationship\".",
        "12 accept_loss: The source's Bookmark has no stored property herf; did you mean href?",
        "13 accept_loss: The source has no entity Nothing.",
      ])
  }

  @Test("an attribute with two values is a mistake, unless each is for another entity")
  func twice() throws {
    let reasons = try reasons {
      $0.maps = [
        EntityMap(entity: "Link", attributes: ["url": .from("href")], line: 1),
        EntityMap(entity: "Link", attributes: ["url": .from("href")], line: 2),
        EntityMap(entity: "Link", attributes: ["url": .constant(.string("x"))], line: 3),
        EntityMap(
          entity: "Link", from: "Bookmark", attributes: ["url": .constant(.string("y"))], line: 4),
      ]
    }
    #expect(
      reasons == [
        "3 map: Link.url has another value already, in line 1, and one alone would count. Take "
          + "one out, or name the source entity of each with from."
      ])
  }

  @Test("a property without its entity is named with it")
  func bare() throws {
    let reasons = try reasons { $0.drops = [NamedInstruction("href", line: 1)] }
    #expect(
      reasons == [
        "1 drop: The source has no entity href; a property is named with its entity: Bookmark.href."
      ])
  }

  @Test("what the target alone has cannot be dropped")
  func target() throws {
    let reasons = try reasons {
      $0.drops = [NamedInstruction("Link.url", line: 1), NamedInstruction("Bookmark.url", line: 2)]
    }
    #expect(
      reasons == [
        "1 drop: Link.url is a name of the target, and drop gives up what the source has. Write "
          + "the source's name for it; if it is new, take it out of the rule.",
        "2 drop: The source's Bookmark has no stored property url.",
      ])
  }

  @Test("what another version has may be named")
  func others() throws {
    let other = try M.model(
      "<entity name=\"Old\">\(M.attribute("x", "Date"))</entity>"
        + "<entity name=\"Bookmark\">\(M.attribute("code", "Date"))</entity>")
    let instruct: (inout MappingInstructions) -> Void = {
      $0.drops = ["Old", "Old.x", "Bookmark.code"].enumerated().map {
        NamedInstruction($1, line: $0)
      }
    }
    #expect(try reasons(others: [other], instruct).isEmpty)
    #expect(try reasons(instruct).count == 3)
  }

  @Test("one thing cannot become two, nor two become one by renaming")
  func claims() throws {
    let reasons = try reasons {
      $0.renames = [
        EntityRename(entity: "Bookmark", to: "Link", line: 1),
        EntityRename(entity: "Tag", to: "Link", line: 2),
        EntityRename(entity: "Bookmark", to: "Tag", line: 3),
      ]
    }
    #expect(reasons.count == 2)
    #expect(reasons[0].hasPrefix("2 Tag: Bookmark becomes Link already."))
    #expect(reasons[1].hasPrefix("3 Bookmark: It cannot become both Link and Tag"))
    let both = try self.reasons {
      $0.renames = [EntityRename(entity: "Bookmark", to: "Link", line: 1)]
      $0.drops = [NamedInstruction("Bookmark", line: 2)]
    }
    #expect(both.count == 1)
  }
}

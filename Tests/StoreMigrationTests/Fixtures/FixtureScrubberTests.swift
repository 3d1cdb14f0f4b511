import CoreDataStore
import Formats
import Foundation
import SQLite
import Testing

@testable import StoreMigration

@Suite("Made-up values in the place of a store's own") struct FixtureScrubberTests {
  private let scrubber = StoreFixture.Scrubber(key: [1], dates: [5, -3, 700_000_000.5])

  private func value(_ value: Value, _ type: AttributeType?) -> Value {
    scrubber.value(value, type) { _ in true }
  }

  @Test("numbers keep their sign, their digits and their type; small whole ones stay")
  func numbers() {
    for number in [0, 7, -999, Int64.max, Int64.min, Int64(Int32.max)] {
      #expect(scrubber.whole(number) == number)
    }
    for number: Int64 in [1000, -32000, 2_000_000_000, 9_000_000_000, -1_234_567_890_123_456_789] {
      let made = scrubber.whole(number)
      #expect("\(made)".count == "\(number)".count && made != number)
      #expect(scrubber.whole(number) == made)
    }
    #expect((1000...9999).contains(scrubber.whole(1001)))
    #expect(Int16(exactly: scrubber.whole(32_000)) != nil)
    for number in [0.5, 12.25, -0.001, 1234, 6.02e23, 1e-300] {
      let made = scrubber.real(number)
      #expect(made != number && (made < 0) == (number < 0))
      #expect("\(made)".count == "\(number)".count, "\(made) for \(number)")
    }
    for number in [0, -12, 999, .infinity, Double.greatestFiniteMagnitude] {
      #expect(scrubber.real(number) == number)
    }
    #expect(scrubber.real(.nan).isNaN)
    let float = scrubber.real(Double(Float(0.1)), isFloat: true)
    #expect(Double(Float(float)) == float)
  }

  @Test("as many different numbers come out as went in, be there room for no more")
  func fullRange() {
    let wholes = Set((1000...9999).map { scrubber.whole($0) })
    #expect(wholes.count == 9000 && wholes.allSatisfy { (1000...9999).contains($0) })
    let reals = Set(
      (1...99).filter { !$0.isMultiple(of: 10) }.map { scrubber.real(Double($0) / 10) })
    #expect(reals.count == 90)
    let texts = Set((0...9).map { scrubber.text("\($0)") })
    #expect(texts.count == 10)
  }

  @Test("dates keep their order; always and never stay") func dates() {
    let made = [-3, 5, 700_000_000.5].map { value(.real($0), .date) }
    #expect(made == [.integer(0), .integer(90_061), .integer(180_122)])
    #expect(value(.integer(5), .date) == made[1])
    let always = Date.distantPast.timeIntervalSinceReferenceDate
    #expect(value(.real(always), .date) == .integer(Int64(always)))
  }

  @Test("a rule of the model is obeyed where that can be") func rules() {
    for number in 10..<80 {
      let made = scrubber.real(Double(number) + 0.375) { (-90...90).contains($0) }
      #expect((-90...90).contains(made))
    }
    let made = scrubber.text("Beta") { $0.hasPrefix("Z") || $0.hasPrefix("Y") || $0 < "M" }
    #expect(made.hasPrefix("Z") || made.hasPrefix("Y") || made < "M")
    #expect(scrubber.text("Gamma") { _ in false }.count == 5)
  }

  @Test("a UUID is the same in a text and in bytes") func uuids() throws {
    let text = "5d1b0a36-6f0e-4c0b-8b51-6a1b4df0f2a1"
    let id = try #require(UUID(uuidString: text))
    let bytes = StoreFixture.Scrubber.bytes(of: id)
    let made = scrubber.text(text)
    #expect(UUID(uuidString: made) != id && made == made.lowercased())
    let expected = StoreFixture.Scrubber.bytes(of: try #require(UUID(uuidString: made)))
    #expect(value(.blob(bytes), .uuid).blob == expected)
  }

  @Test("JSON stays JSON, without its words") func json() throws {
    let text = #"{"Emma": [true, null, 12, 48123, "letters to Emma", 0.25]}"#
    let made = scrubber.text(text)
    let value = try JSONValue(reading: Array(made.utf8))
    let list = try #require(value.members?.first?.value.array)
    #expect(list[0] == .bool(true) && list[1] == .null && list[2] == .integer(12))
    #expect(list[3] != .integer(48123) && list[4].string?.count == 15)
    #expect(!made.contains("Emma"))
    #expect(scrubber.bytes(Array(text.utf8)) == Array(made.utf8))
  }

  @Test("a picture becomes a small one of its kind, each another one")
  func pictures() {
    let kinds: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
      Array("GIF89a".utf8),
    ]
    for start in kinds {
      let pictures = Set(
        (0..<5).map { scrubber.bytes(start + [UInt8](repeating: $0, count: 9000)) })
      #expect(pictures.count == 5)
      #expect(pictures.allSatisfy { $0.starts(with: start.prefix(3)) && $0.count < 250 })
    }
  }

  @Test("archives and property lists keep their structure") func lists() throws {
    let list = PropertyList.dictionary([
      "names": .array([.string("Emma"), .string("Charles"), .string("Emma")]),
      "number": .integer(4_711_000), "small": .integer(3), "flag": .bool(true),
      "large": .unsigned(.max), "date": .date(1234.5), "data": .data([0, 1, 2, 3]),
    ])
    let archive = try PropertyList(reading: scrubber.bytes(try KeyedArchiveWriter.write(list)))
    let before = try PropertyList(reading: try KeyedArchiveWriter.write(list))
    #expect(archive["$top"] == before["$top"] && archive["$archiver"] == before["$archiver"])
    let (new, old) = (archive["$objects"]?.array ?? [], before["$objects"]?.array ?? [])
    #expect(new.count == old.count && new.first == .string("$null"))
    for (new, old) in zip(new, old) where old["$classname"] != nil { #expect(new == old) }
    #expect(!"\(archive)".contains("Emma") && !"\(archive)".contains("4711000"))
    let plain = try PropertyList(reading: scrubber.bytes(try BinaryPropertyListWriter.write(list)))
    let names = try #require(plain.dictionary?.values.compactMap(\.array).first)
    #expect(names[0] == names[2] && names[0] != names[1] && names[0].string?.count == 4)
    #expect(plain.dictionary?.count == 7)
  }

  @Test(
    "nothing stays in a place that is an archive's own",
    arguments: [
      PropertyList.dictionary(["CF$UID": .string("Emma")]),
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$objects": .array([.string("$null")]),
        "$top": .dictionary(["root": .uid(0), "name": .string("Emma")]), "more": .string("Emma"),
      ]),
    ])
  func places(list: PropertyList) throws {
    let made = scrubber.bytes(try BinaryPropertyListWriter.write(list))
    #expect(!"\(try PropertyList(reading: made))".contains("Emma"))
  }

  @Test("a property list in XML stays one, as a text and as bytes") func listsInXML() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>name</key><string>Emma &lt;3 &amp; you</string>
      <key>when</key><date>2020-02-29T10:00:00Z</date><key>no</key><integer>48123</integer>
      <key>list</key><array><true/><real>0.25</real><data>AAECAwQ=</data></array>
      <key>at</key><dict><key>CF$UID</key><integer>4711</integer></dict></dict></plist>
      """
    let made = scrubber.text(text)
    let list = try #require(try PropertyList(reading: Array(made.utf8)).dictionary)
    #expect(list.count == 5 && !made.contains("Emma") && !made.contains("48123"))
    #expect(list.values.contains(.dictionary(["CF$UID": .integer(4711)])))
    #expect(list.values.compactMap(\.string).first?.count == 13)
    #expect(list.values.contains { $0.date != nil })
    let array = try #require(list.values.compactMap(\.array).first)
    #expect(array[0] == .bool(true) && array[2].data?.count == 5)
    #expect(scrubber.bytes(Array(text.utf8)) == Array(made.utf8))
  }

  @Test("a number comes from between the smallest and the largest that the model allows")
  func range() {
    for number in Int64(1000)...1010 {
      #expect((1000...1010).contains(scrubber.whole(-number, in: -1010 ... -1000).magnitude))
    }
  }

  @Test("what is no text gets as many bytes by chance, and long values are cut") func bytes() {
    #expect(scrubber.bytes([]) == [])
    let bytes: [UInt8] = [0, 200, 3, 255, 9, 9, 9, 9, 1]
    #expect(scrubber.bytes(bytes).count == 9 && scrubber.bytes(bytes) != bytes)
    #expect(scrubber.bytes(bytes) == scrubber.bytes(bytes))
    let longest = StoreFixture.Scrubber.longest
    #expect(scrubber.bytes([UInt8](repeating: 0, count: 1 << 20)).count == longest)
    #expect(scrubber.text(String(repeating: "long ", count: 5000)).count == longest)
    let broken = value(.text(Text(bytes: [0xC3, 0x28, 0x41, 0x41])), .string)
    #expect(broken.string?.count == 4)
    #expect(value(.blob([1, 2, 3]), .string).blob?.count == 3)
  }
}

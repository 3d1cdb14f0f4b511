import Formats
import Testing

@Suite("Property lists, whichever way they are written")
struct PropertyListTests {
  @Test("binary and XML are distinguished by their first bytes")
  func kinds() throws {
    let value = PropertyList.dictionary(["a": .integer(1)])
    #expect(try PropertyList(reading: BinaryPropertyListWriter.write(value)) == value)
    let xml = "\u{feff} \n<plist><dict><key>a</key><integer>1</integer></dict></plist>"
    #expect(try PropertyList(reading: Array(xml.utf8)) == value)
  }

  @Test("anything else is refused", arguments: ["", " ", "{ a = 1; }", "bplist", "\u{feff}"])
  func neither(text: String) {
    #expect(throws: FormatError.self) { try PropertyList(reading: Array(text.utf8)) }
  }

  @Test("an accessor answers only for its own kind")
  func accessors() {
    let value = PropertyList.dictionary([
      "string": .string("s"), "integer": .integer(-1), "bool": .bool(true), "real": .real(0.5),
      "date": .date(7), "data": .data([1]), "array": .array([.null]),
    ])
    #expect(value["string"]?.string == "s")
    #expect(value["integer"]?.integer == -1)
    #expect(value["bool"]?.bool == true)
    #expect(value["real"]?.real == 0.5)
    #expect(value["date"]?.date == 7)
    #expect(value["data"]?.data == [1])
    #expect(value["array"]?.array == [.null])
    #expect(value["missing"] == nil)
    #expect(value["bool"]?.integer == nil)
    #expect(value["integer"]?.bool == nil)
    #expect(value["array"]?["string"] == nil)
    #expect(value.string == nil && value.dictionary?.count == 7)
  }

  @Test("an error is one line with its place")
  func errors() {
    #expect(FormatError(.json, "odd").description == "JSON: odd")
    #expect(FormatError(.xml, "odd", at: .line(3)).description == "XML, line 3: odd")
    #expect(FormatError(.hex, "odd", at: .byte(3)).description == "hexadecimal text, byte 3: odd")
    let place = FormatError.Place.position(line: 1, column: 2)
    #expect(FormatError(.json, "odd", at: place).description == "JSON, line 1, column 2: odd")
  }
}

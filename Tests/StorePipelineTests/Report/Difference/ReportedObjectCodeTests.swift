import CoreDataStore
import Formats
import StoreMigration
import Testing

@testable import StorePipeline

@Suite("Objects of a report as bytes")
struct ReportedObjectCodeTests {
  static let values: [ReportedValue] = [
    .none, .hidden, .digest("00ff"), .boolean(true), .integer(.min), .real(.infinity),
    .decimal("1.50"), .date(-0.5), .text("a\u{0}b"), .uuid("5C8F"),
    .data(bytes: 7, sha256: "aa", kind: .png, image: 3),
    .data(bytes: 0, sha256: "", kind: nil, image: nil), .lost("x"), .unexpected("y"),
  ]

  @Test("every kind of value, and links, come back as they were", arguments: values)
  func same(value: ReportedValue) throws {
    var link = ChangedLink("folder")
    link.lose(ObjectID(entity: "Folder", key: 1))
    link.gain(ObjectID(entity: "Folder", key: -2))
    link.reorder()
    link.remove()
    let object = ReportedObject(
      group: 4, change: .changed, entity: "Note", source: ObjectID(entity: "Memo", key: 9),
      object: nil,
      values: [ReportedChange(attribute: "a", change: .emptied, old: value, new: .none)],
      links: [link])
    var writer = ByteWriter()
    writer.add(object)
    var reader = ByteReader(writer.bytes[...])
    let read = try reader.object()
    #expect(reader.rest.isEmpty)
    #expect((read.group, read.change, read.entity) == (4, .changed, "Note"))
    #expect(read.source == object.source && read.object == nil)
    #expect(read.values == object.values && read.links == object.links)
  }

  @Test("other bytes are an error") func damaged() {
    #expect(throws: ByteReader.Damage.self) {
      var reader = ByteReader([0, 3, 97, 98, 99][...])
      _ = try reader.object()
    }
  }
}

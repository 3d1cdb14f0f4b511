import CoreDataStore
import Formats
import Testing

@testable import StorePipeline

@Suite("The data of a page")
struct HTMLDifferenceDataTests {
  private func decode(_ data: HTMLDifferenceData) throws -> JSONValue {
    try JSONValue(reading: bytes(data))
  }

  private func bytes(_ data: HTMLDifferenceData) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try data.write { bytes += $0 }
    return bytes
  }

  @Test("each object leads to its group, each value to its attribute's name")
  func references() throws {
    let report = try DifferenceSample.everything()
    let page = try HTMLDifferenceData(report)
    let data = try decode(page)
    let names = try #require(data["names"]?.array).compactMap(\.string)
    let groups = try #require(data["groups"]?.array)
    let objects = try #require(data["objects"]?.array)
    #expect(page.objectCount == objects.count && objects.count == report.objects.count)
    #expect(groups.count == report.groups.count && Set(names).count == names.count)
    for (object, told) in zip(objects, try report.objects.first(.max)) {
      let parts = try #require(object.array)
      #expect(parts[0].integer == Int64(told.group) && parts[1].integer == told.key)
      for (value, change) in zip(parts[2].array ?? [], told.values) {
        let name = try #require(value.array?.first?.integer)
        #expect(names[Int(name)] == change.attribute)
      }
    }
  }

  @Test("it stops before the page is too large, and says how far it came")
  func limited() throws {
    let objects = (1...100).map { DifferenceSample.text($0, "a", "b\($0)") }
    let page = try HTMLDifferenceData(DifferenceSample.report(objects), most: 500)
    #expect(page.objectCount > 0 && page.objectCount < 100)
    #expect(try decode(page)["objects"]?.array?.count == page.objectCount)
  }

  @Test("no end of an element hides in it", arguments: DifferenceSample.hostile)
  func markup(value: String) throws {
    let page = try HTMLDifferenceData(
      DifferenceSample.report([DifferenceSample.text(1, value, "b")]))
    #expect(try !bytes(page).contains(UInt8(ascii: "<")))
  }
}

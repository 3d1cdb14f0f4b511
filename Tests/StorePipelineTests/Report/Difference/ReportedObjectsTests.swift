import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("The objects of a report")
struct ReportedObjectsTests {
  private func report(_ count: Int64) throws -> ReportedObjects {
    let objects = (1...count).map { DifferenceSample.text($0, "a\($0)", "b\($0 % 2)") }
    return try DifferenceSample.report(objects, display: .full).objects
  }

  @Test("thousands come back in their order, whole", arguments: [1, 20_000])
  func order(count: Int64) throws {
    let objects = try report(count)
    #expect(objects.count == Int(count))
    var next: Int64 = 1
    try objects.forEach { object in
      #expect(object.key == next && object.values[0].new == .text("b\(next % 2)"))
      next += 1
      return true
    }
    #expect(next == count + 1)
  }

  @Test("the first are had without the rest, and the first of each group") func first() throws {
    let objects = try report(100)
    #expect(try objects.first(3).map(\.key) == [1, 2, 3])
    #expect(try objects.first(0).isEmpty)
    let all = try objects.first(.max)
    let groups = Set(all.map(\.group))
    let some = try objects.first(2, ofEach: 0..<groups.count)
    #expect(some.values.allSatisfy { $0.count <= 2 } && some.count == groups.count)
    #expect(try objects.first(2, ofEach: 0..<0).isEmpty)
  }
}

@testable import StoreMigration
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Steps of a preflight")
struct PreflightStepTests {
  private static func step(
    _ from: String, _ to: String, claims: Set<String> = []
  ) throws
    -> PreflightStep
  {
    func model(_ name: String) throws -> Model {
      try MappingModels.model(
        "<entity name=\"A\">\(LossSample.attribute("t", "String"))</entity>"
          + "<entity name=\"B\">\(LossSample.attribute("t", "String"))</entity>", name: name)
    }
    let (old, new) = (try model(from), try model(to))
    return PreflightStep(
      try StoreSchema(of: old), to: try StoreSchema(of: new), Mapping(from: old, to: new),
      claims: PreflightClaims(entities: claims))
  }

  @Test("ways lead through all steps, but where a script has a hand in it")
  func paths() throws {
    let free = [try Self.step("1", "2"), try Self.step("2", "3")]
    #expect(free.paths.map(\.source) == ["A", "B"])
    #expect(free.paths.allSatisfy { $0.steps.count == 2 })
    let claimed = [try Self.step("1", "2"), try Self.step("2", "3", claims: ["A"])]
    #expect(claimed.paths.map(\.source) == ["B"])
    #expect([PreflightStep]().paths.isEmpty)
  }
}

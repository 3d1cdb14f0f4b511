import CoreDataStore
import StoreTestSupport
import Testing

@Suite("What must hold in a model")
struct ModelCheckTests {
  @Test(
    "what does not fit together is named",
    arguments: [
      (#"<entity name="A" parentEntity="A"/>"#, "circle: A, A"),
      (#"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#, "circle"),
      (#"<entity name="A" parentEntity="Z"/>"#, "parent entity Z is not in the model"),
      (#"<entity name="A"/><entity name="A"/>"#, "Two entities have this name"),
      (
        #"<entity name="A"><attribute name="x"/><attribute name="x"/></entity>"#,
        "Two properties have the name x"
      ),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="Z"/></entity>"#,
        "destination entity Z is not in the model"
      ),
      (#"<entity name="A"><relationship name="r"/></entity>"#, "no destination entity"),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" inverseName="q"/>
        </entity>
        """,
        "inverse A.q is not in the model"
      ),
      (
        #"<configuration name="M"><memberEntity name="Z"/></configuration>"#,
        "entity Z is not in the model"
      ),
    ])
  func misfits(body: String, why: String) throws {
    let error = #expect(throws: Failure.self) { try ModelText.model(body) }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "")")
    #expect(error?.remedy == Failure.fixModel)
  }

  @Test("ten thousand entities, each the child of the one before, are refused")
  func deepInheritance() {
    let entities = (0..<10_000).map {
      $0 == 0 ? "<entity name=\"E0\"/>" : "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>"
    }
    let error = #expect(throws: Failure.self) { try ModelText.model(entities.joined()) }
    #expect(error?.why.contains("ancestors") == true)
  }

  @Test("a circle of ten thousand parents is refused")
  func longCircle() {
    let entities = (0..<10_000).map {
      "<entity name=\"E\($0)\" parentEntity=\"E\(($0 + 1) % 10_000)\"/>"
    }
    #expect(throws: Failure.self) { try ModelText.model(entities.joined()) }
  }

  @Test("very many properties, most of them inherited, are refused")
  func manyProperties() {
    let attributes = (0..<2_000).map { "<attribute name=\"a\($0)\"/>" }.joined()
    let children = (0..<200).map { "<entity name=\"C\($0)\" parentEntity=\"A\"/>" }.joined()
    let error = #expect(throws: Failure.self) {
      try ModelText.model("<entity name=\"A\">\(attributes)</entity>" + children)
    }
    #expect(error?.why.contains("properties") == true)
  }
}

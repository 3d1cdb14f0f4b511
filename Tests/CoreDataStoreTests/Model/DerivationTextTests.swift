import Testing

@testable import CoreDataStore

@Suite("Derivation expressions in XML")
struct DerivationTextTests {
  @Test(
    "an operator in a path becomes the function that Xcode compiles it to",
    arguments: [
      ("pages.@count", .function("count:", [.keyPath("pages")])),
      ("pages.@sum.size", .function("sum:", [.keyPath("pages.size")])),
      ("maker.name", .keyPath("maker.name")),
      ("uppercase:(name)", .function("uppercase:", [.keyPath("name")])),
      ("@count", .keyPath("@count")),
    ] as [(String, ModelExpression)])
  func expression(text: String, expression: ModelExpression) {
    #expect(DerivationText.expression(text) == expression)
  }
}

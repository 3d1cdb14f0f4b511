import Testing

@Suite("The rules of the house")
struct RuleTests {
  @Test("the project keeps the rule", arguments: Rule.all)
  func isKept(rule: Rule) throws {
    let offences = rule.check(try Repository.files.get())
    if !offences.isEmpty {
      Issue.record("\(offences.map(\.description).joined(separator: "\n"))")
    }
  }

  @Test("the rule refuses what it is there to refuse", arguments: Rule.all)
  func bites(rule: Rule) {
    #expect(!rule.refused.isEmpty)
    for file in rule.refused {
      #expect(Set(rule.check([file]).map(\.path)) == [file.path], "\(file.lines.prefix(5))")
    }
  }

  @Test("the rule lets pass what only looks like an offence", arguments: Rule.all)
  func spares(rule: Rule) {
    #expect(!rule.allowed.isEmpty)
    #expect(rule.check(rule.allowed).map(\.description) == [])
  }
}

import Testing

@testable import pipeline

@Suite("Command")
struct CommandTests {
  @Test("a command that says no more takes nothing, and its results must be written")
  func defaults() {
    #expect(Idle.arguments.isEmpty && Idle.shared.isEmpty && Idle.discussion == "")
    #expect(!Idle.outlivesLostResults)
  }
}

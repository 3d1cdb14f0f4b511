import Testing

@testable import Benchmarks

@Suite("What the measured command can do") struct AbilitiesTests {
  @Test("its help says it")
  func help() {
    #expect(Abilities(help: "--workers N  --dry-run") == Abilities(help: "--dry-run --workers"))
    #expect(!Abilities(help: "--output PATH").hasWorkers)
    #expect(!Abilities(help: "--output PATH").hasDryRun)
    #expect(Abilities(help: "--dry-run").hasDryRun)
  }
}

import StorePipeline
import Testing

@testable import pipeline

@Suite("The command restore")
struct RestoreCommandTests {
  @Test("stopped, it names what resumes each store, with the work folder that the store has")
  func interruption() throws {
    var command = RestoreCommand()
    command.backup = "both"
    command.stores = ["A.sqlite", "B.sqlite", "C.sqlite"]
    let places = try FleetStore.list(command.stores, RunOptions(work: "w"))
    let interruption = command.interruption(after: 1, places)
    #expect(interruption.stores == "1 of 3 stores is restored; the rest are unchanged.")
    #expect(
      interruption.commands == [
        ["restore", "--work", "w/B.sqlite.pipeline", "both", "B.sqlite"],
        ["restore", "--work", "w/C.sqlite.pipeline", "both", "C.sqlite"],
      ])
  }

  @Test("stopped, it marks where names begin that look like options")
  func names() throws {
    var command = RestoreCommand()
    (command.backup, command.stores, command.force) = ("-b", ["A.sqlite", "B.sqlite"], true)
    let interruption = command.interruption(after: 1, try FleetStore.list(command.stores))
    #expect(interruption.commands == [["restore", "--force", "--", "-b", "B.sqlite"]])
  }
}

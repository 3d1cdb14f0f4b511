import CoreDataStore
import Formats
import StorePipeline
import TestSupport
import Testing

@Suite("A store's log", .temporaryFolder)
struct StoreLogEntryTests {
  @Test("each run is a line: when, from where to where, how many objects, which run and program")
  func lines() async throws {
    let sample = try RetrySample()
    let run = try await sample.run(RetrySample.computing("Milk", "Report"))
    let retry = try await sample.retry(RetrySample.computing("Milk", "Bread", "Report"))
    let store = try Store(sample.store)
    let report = StoreReport(path: sample.store, facts: try store.facts(try store.recognise()))
    let text = TextStoreReport(report, width: 400, style: Style(isOn: false)).text
    let lines = text.split(separator: "\n").filter { $0.contains("Notes -> Notes 2") }
    #expect(lines.count == 2)
    #expect(lines.first?.contains("6 in, 5 out, 1 rejected  \(run.run)  pipeline ") == true)
    let fed = "objects that \(run.run) had rejected, 1 in, 1 out  \(retry.run ?? "")"
    #expect(lines.last?.contains(fed) == true)
    let document = try JSONValue(reading: Array(JSONStoreReport(report).text.utf8))
    let names = document["log"]?.array?.first?.members?.map(\.name).sorted()
    #expect(
      names == [
        "date", "in", "models", "out", "pipeline", "rejected", "run", "scripts", "source",
        "target", "tool",
      ])
  }
}

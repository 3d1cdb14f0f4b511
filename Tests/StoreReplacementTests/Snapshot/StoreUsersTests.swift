import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Who else has a store", .temporaryFolder) struct StoreUsersTests {
  /// Has the store open in another process, at rest, until there is a file `end`.
  private func hold(_ store: String, until end: String) async {
    await #expect(processExitsWith: .success) { [store = store as String, end = end as String] in
      let app = try Connection(path: store, mode: .own(create: false))
      _ = try app.integer("SELECT count(*) FROM ZPERSON")
      try Signal.ready(end + "-ready")
      Signal.wait(for: end)
      try app.close()
    }
  }

  @Test("nobody has it when nobody has")
  func nobody() throws {
    try StoreUsers.waitForEnd(WorkFolder(store: StoreSample.make()), wait: .zero)
  }

  @Test(
    "an application at rest is seen and named, and waited for",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "the system tells"),
    .alone)
  func holder() async throws {
    let sample = try SwapSample()
    let end = samplePath("end")
    async let application: Void = hold(sample.store, until: end)
    try await Signal.come(end + "-ready")
    let old = try sample.image()
    for method in [SwapChoices.Method.replace, .rename] {
      let error = #expect(throws: Failure.self) {
        try sample.swap(SwapChoices(method: method, wait: .zero))
      }
      #expect(error?.kind == .busy)
      #expect(error?.why.contains("Open in process ") == true)
    }
    #expect(try sample.image() == old)
    try Signal.give(end)
    #expect(try sample.swap(SwapChoices(wait: .seconds(30))).warnings == [])
    await application
    #expect(try sample.content() == "new")
  }
}

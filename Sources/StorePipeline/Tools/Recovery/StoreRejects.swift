internal import CoreDataStore
internal import Formats
internal import StoreMigration
internal import StoreReplacement

/// The objects of a store that scripts have rejected and that wait to be retried.
package struct StoreRejects: Sendable {
  struct Entry: Sendable {
    let run: String
    let object: RetrySummary.Waiting
    /// Its values by name, as Lua writes them; nil where values are not shown.
    let values: [(name: String, text: String)]?
  }

  private let store: String
  private let entries: [Entry]
  /// How many there are, those that are not listed among them.
  package let count: Int

  init(_ folder: WorkFolder, runs: [String], limit: Int, showsValues: Bool) throws {
    store = folder.store
    let path = folder.rejectsPath
    count = try RejectStore.waiting(at: path, log: runs).reduce(0) { $0 + $1.count }
    entries = try RejectStore.waiting(at: path, log: runs, first: limit).map { run, reject in
      Entry(
        run: run, object: RetrySummary.Waiting(reject),
        values: showsValues ? Self.values(of: reject) : nil)
    }
  }

  /// The objects, without their runs and values.
  var objects: [RetrySummary.Waiting] { entries.map(\.object) }

  /// What an object held when it was rejected.
  private static func values(of reject: Reject) -> [(name: String, text: String)] {
    guard let list = try? PropertyList(reading: reject.values).dictionary else { return [] }
    return list.sorted { $0.key < $1.key }.map { (name: $0.key, text: text($0.value)) }
  }

  private static func text(_ value: PropertyList) -> String {
    switch value {
    case .string(let text): ValueText.of(.string(text))
    case .integer(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    case .real(let number): ValueText.of(.real(number))
    case .date(let seconds): ValueText.of(.date(seconds))
    case .data(let bytes): ValueText.of(.binary(bytes))
    case .array(let parts): parts.map(text).joined(separator: " ").replacing("\"", with: "")
    case .dictionary(let parts): "a file, \(parts["$external"]?.string ?? "")"
    default: "a value"
    }
  }
}

// What is said of them.
extension StoreRejects {
  /// The objects as a person reads them, with their values if these are shown.
  package func text(width: Int = 80, style: Style = Style(isOn: false)) -> String {
    guard count > 0 else { return "\(store.oneLine): no object waits to be retried" }
    var lines = ["\(store.oneLine): \(Plural.text(count, "object")) rejected"]
    if entries.contains(where: { $0.values != nil }) {
      for entry in entries {
        lines += RunSummary.Rejected.lines(of: [entry.object], width, style)
        lines += (entry.values ?? []).map { "    \($0.name) = \($0.text)".oneLine }
      }
    } else {
      lines += RunSummary.Rejected.lines(of: objects, width, style)
    }
    if count > entries.count { lines.append("  and \(Quantity.count(count - entries.count)) more") }
    return lines.joined(separator: "\n")
  }

  /// The objects as one JSON document, for programs.
  package var json: String {
    let objects = entries.map { entry -> JSONValue in
      var members = entry.object.members
      members.append(.init("run", .string(entry.run)))
      if let values = entry.values {
        members.append(
          .init("values", .object(values.map { .init($0.name, .string($0.text)) })))
      }
      return .object(members)
    }
    let document: JSONValue = [
      "format": 1, "store": .string(store), "count": .count(count), "rejects": .array(objects),
    ]
    return document.text(.pretty)
  }
}

extension StoreRecovery {
  /// The objects that scripts rejected and that wait to be retried.
  ///
  /// - Parameters:
  ///   - limit: How many are listed one by one.
  ///   - showsValues: Whether their values are shown.
  /// - Returns: The objects; none when no run of the store's own log rejected any.
  /// - Throws: `Failure` when the store, or the file of rejected objects, cannot be read.
  package func rejects(limit: Int, showsValues: Bool = false) throws -> StoreRejects {
    let runs = try Store(folder.store).metadata.runs
    return try StoreRejects(folder, runs: runs, limit: limit, showsValues: showsValues)
  }
}

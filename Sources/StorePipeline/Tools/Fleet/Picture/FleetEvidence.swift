internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem
internal import StoreReplacement

extension FleetPicture {
  /// How runs ended, by what they have written outside the stores.
  struct Evidence: Sendable {
    /// The last run of each store, by the store's path with links resolved.
    private(set) var runs: [String: LastRun] = [:]
    /// The paths as they were written.
    private(set) var given: [String: String] = [:]
    /// Files that were asked for and say nothing of runs, or cannot be read.
    private(set) var unread: [String] = []
    /// Files that the user has named and that say nothing of runs.
    private var silent: [String] = []
    /// Work folders that cannot be read, and why.
    private(set) var unseen: [String] = []
    /// The ends of runs at each path, with the path as it was written.
    private var ends: [String: [(last: LastRun, name: String)]] = [:]

    /// Reads what a file says of runs: events, what `run --json` prints, or a report of a run.
    ///
    /// Where `isAsked`, the user has named it.
    ///
    /// - Throws: `Failure` when a file that the user named cannot be read.
    mutating func read(_ path: String, isAsked: Bool) throws {
      try Task.checkCancellation()
      do {
        if isAsked { try Self.checkFile(path) }
        if try !take(path, isAsked), isAsked { silent.append(path) }
      } catch let error as CancellationError {
        throw error
      } catch let error as Failure where isAsked {
        throw error
      } catch {
        guard isAsked else {
          unread.append("\(path): \(Failure.reason(error, at: path))")
          return
        }
        let isMissing = (error as? CocoaError)?.code == .fileReadNoSuchFile
        throw Failure(
          isMissing ? .misuse : .refused, what: Self.what, subject: path,
          why: Failure.reason(error, at: path), remedy: "Check the path and the permissions.")
      }
    }

    /// Refuses files of which none says anything; a silent one among others, such as the log of a
    /// machine that had nothing to do, is listed.
    ///
    /// - Throws: `Failure` when none of those that the user has named says anything of runs.
    mutating func checkSilence(of asked: Int) throws(Failure) {
      guard let first = silent.first, silent.count == asked else {
        unread += silent.map { "\($0): It has no event of a run." }
        return
      }
      throw Failure(
        .misuse, what: Self.what, subject: first,
        why: "It has no event of a run, and is no document that `pipeline run --json` prints.",
        remedy: "Name a file of `pipeline run --events`, or what --json has printed.")
    }

    private static let what = "cannot read the events"

    /// Refuses a pipe: a file is read more than once, and a pipe gives its bytes once.
    private static func checkFile(_ path: String) throws {
      var isFile = FilePlace(path).isOpenedAtOnce
      if isFile {
        isFile = try NamedFile.read(path) {
          try FileEntry.of(descriptor: $0.fileDescriptor).isRegular
        }
      }
      guard !isFile else { return }
      throw Failure(
        .misuse, what: what, subject: path, why: "It is not a regular file.",
        remedy: "Write the events to a file, and name that.")
    }

    /// Takes what a file says; false when it says nothing of runs.
    private mutating func take(_ path: String, _ isAsked: Bool) throws -> Bool {
      let written = FileSystem.entry(following: path).map { Double($0.modified) / 1e9 } ?? 0
      let start = try NamedFile.read(path) { try $0.read(upToCount: Self.mostOfPage) ?? Data() }
      let text = start.drop { $0 == 0x0A || $0 == 0x20 }
      if text.first == UInt8(ascii: "<") { return takePage(text, at: written) }
      // An event is a line, and a document has its first key on the second. In the log of a pod
      // there are other lines, too.
      let isDocument = text.starts(with: Array("{\n".utf8))
      guard isDocument else {
        return isAsked || text.first == UInt8(ascii: "{") ? try takeEvents(path) : false
      }
      let all = try NamedFile.read(path) { try $0.readToEnd() ?? Data() }
      guard let document = try? JSONValue(reading: Array(all), limits: .json) else { return false }
      return takeDocument(document, at: written)
    }

    /// How much of a page is read: its summary stands at its beginning.
    private static let mostOfPage = 4 << 20

    /// A report of a run as a page has the run's summary as data.
    private mutating func takePage(_ page: Data, at written: Double) -> Bool {
      guard let start = page.firstRange(of: Data(HTMLDifferenceReport.summaryStart.utf8)),
        let end = page.range(of: Data("</script>".utf8), in: start.upperBound..<page.endIndex),
        let document = try? JSONValue(
          reading: Array(page[start.upperBound..<end.lowerBound]), limits: .json)
      else { return false }
      return takeDocument(document, at: written)
    }

    private mutating func takeDocument(_ document: JSONValue, at written: Double) -> Bool {
      // A picture is put together from evidence and is none: it would count its own findings again.
      if document["causes"] != nil { return false }
      if let stores = document["stores"]?.array {
        for store in stores {
          var last = LastRun(summary: store, at: written)
          last?.place(store)
          take(last, store["store"])
        }
        return !stores.isEmpty
      }
      let isReport = document["run"]?["run"] != nil
      guard let run = isReport ? document["run"] : document, run["status"] != nil else {
        return false
      }
      var last = LastRun(summary: run, at: written)
      last?.place(run)
      if last?.lost == nil, let lost = Self.lost(document["losses"]) { last?.lost = lost }
      take(last, run["store"])
      return last != nil
    }

    private static func lost(_ losses: JSONValue?) -> [String: Int]? {
      var lost: [String: Int] = [:]
      for loss in losses?.array ?? [] where loss["counted"]?.bool != false {
        guard let entity = loss["entity"]?.string, let property = loss["property"]?.string,
          let count = loss["lost"]?.integer, count > 0
        else { continue }
        lost["\(entity).\(property)"] = Int(count)
      }
      return lost.isEmpty ? nil : lost
    }

    private mutating func take(_ last: LastRun?, _ store: JSONValue?) {
      guard let last, let store = store?.string, !store.isEmpty else { return }
      let path = FileSystem.resolved(last.path ?? store)
      let name = last.path == nil || FileSystem.resolved(store) == path ? store : last.path ?? store
      // A machine that looks each night finds most stores done: its first such word counts.
      let known = last.saysNothingNew ? ends[path] ?? [] : []
      let done = known.firstIndex {
        $0.last.host == last.host && $0.last.at <= last.at
          && ($0.last.isDone || $0.last.saysNothingNew)
      }
      guard let done else {
        ends[path, default: []].append((last, name))
        return
      }
      ends[path]?[done].last.at = last.at
      ends[path]?[done].last.inodes.formUnion(last.inodes)
    }

    /// Puts together what is said of each store, in the order of time and not in that of the files.
    mutating func settle() {
      for (path, ends) in ends {
        var stores: [(last: LastRun, hosts: Set<String>, name: String)] = []
        for (last, name) in ends.sorted(by: { $0.last.at < $1.last.at }) {
          let place =
            stores.lastIndex { !last.run.isEmpty && $0.last.run == last.run }
            ?? stores.lastIndex { store in last.host.map(store.hosts.contains) == true }
            ?? stores.lastIndex { !last.isElsewhere(than: $0.last) }
          let hosts = Set([last.host].compactMap(\.self))
          guard let place else {
            stores.append((last, hosts, name))
            continue
          }
          stores[place].last = last.merged(with: stores[place].last)
          stores[place].hosts.formUnion(hosts)
        }
        let here = Self.here(stores.map { $0.hosts }, stores.map { $0.last }, path)
        for (place, store) in stores.enumerated() {
          let key = place == here ? path : "\(store.last.host ?? ""):\(path)"
          (runs[key], given[key]) = (store.last, store.name)
        }
      }
      ends = [:]
    }

    /// Which of the stores that have one path is the one that is here; nil where none is.
    private static func here(
      _ hosts: [Set<String>], _ lasts: [LastRun], _ path: String
    ) -> Int? {
      if let own = hosts.firstIndex(where: { $0.isEmpty || $0.contains(Machine.name) }) {
        return own
      }
      let entry = FileSystem.entry(following: path)
      let number = entry.map { Int64(truncatingIfNeeded: $0.identity.inode) }
      return lasts.firstIndex { $0.isShared && number.map($0.inodes.contains) == true }
        // An older command has not written the number.
        ?? lasts.firstIndex { $0.inodes.isEmpty }
    }
  }
}

extension FleetPicture {
  /// Whether a file has an event of a run near its beginning, as the log of a pod has.
  package static func hasEvents(_ path: String) -> Bool {
    guard let file = try? FileSystem.realPath(path),
      let start = try? FileSystem.start(of: file, count: 1 << 16)
    else { return false }
    return start.split(separator: UInt8(ascii: "\n")).contains { line in
      line.first == UInt8(ascii: "{") && ProgressEvent.isLine(line)
    }
  }
}

// Events.
extension FleetPicture.Evidence {
  /// Reads lines as they come: a file of events may be larger than the memory.
  private mutating func takeEvents(_ path: String) throws -> Bool {
    var open: [String: FleetPicture.LastRun] = [:]
    var found = false
    var cut = 0
    var rest = Data()
    try NamedFile.read(path) { file in
      while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
        try Task.checkCancellation()
        var lines = (rest + piece).split(separator: 0x0A, omittingEmptySubsequences: false)
        rest = Data(lines.removeLast())
        // No event is so long.
        if rest.count > 8 << 20 { rest = Data() }
        for line in lines where takeLine(Array(line), &open, &cut) { found = true }
      }
    }
    if takeLine(Array(rest), &open, &cut) { found = true }
    for (store, last) in open { take(last, .string(store)) }
    if cut > 0 { unread.append("\(path): \(Plural.text(cut, "line")) of events cut short.") }
    return found
  }

  /// Takes one line, and counts it where it is an event that is cut short; false when it is none.
  private mutating func takeLine(
    _ line: [UInt8], _ open: inout [String: FleetPicture.LastRun], _ cut: inout Int
  ) -> Bool {
    // Most lines say how far a run is, which is nothing to its end.
    if line.starts(with: Self.progress), line.lastIndex(of: UInt8(ascii: "{")) == 0 { return true }
    guard ProgressEvent.isLine(line) else {
      // Other programs have events, too.
      let isCut = line.starts(with: Self.start) && (try? JSONValue(reading: line)) == nil
      guard isCut else { return false }
      cut += 1
      // The command that was killed in the middle of its line has left no line end to the next one.
      let next = Data(line).range(of: Data(Self.start), options: .backwards)?.lowerBound ?? 0
      guard next > 0 else { return false }
      return takeLine(Array(line[next...]), &open, &cut)
    }
    guard let event = try? JSONValue(reading: line, limits: .json),
      let store = event["store"]?.string
    else { return false }
    let at = event["time"]?.string.flatMap(Self.seconds) ?? 0
    switch event["event"]?.string {
    case "run-started":
      var last = FleetPicture.LastRun(
        at: at, status: nil, outcome: FleetPicture.LastRun.interrupted)
      last.run = event["run"]?.string ?? ""
      last.place(event)
      open[store] = last
    case "warning": open[store]?.warnings += 1
    case "rejected": open[store]?.rejected += 1
    case "run-finished":
      take(finished(event, at, open.removeValue(forKey: store)), event["store"])
    default: break
    }
    return true
  }

  private func finished(
    _ event: JSONValue, _ at: Double, _ started: FleetPicture.LastRun?
  ) -> FleetPicture.LastRun? {
    guard var last = FleetPicture.LastRun(summary: event, at: at) else { return nil }
    last.warnings = started?.warnings ?? 0
    last.rejected = started?.rejected ?? 0
    last.place(event)
    last.inodes.formUnion(started?.inodes ?? [])
    if last.seconds == nil { last.seconds = started.map { max(0, at - $0.at) } }
    return last
  }

  private static let start = Array("{\"event\":\"".utf8)
  private static let progress = start + Array("progress\"".utf8)

  /// The moment of a text such as "2026-11-21T14:45:49.123Z", in seconds since 1970.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1)
    let basic = (parts.first ?? "").filter { $0 != "-" && $0 != ":" && $0 != "Z" } + "Z"
    guard let whole = TimeText.seconds(basic: basic) else { return nil }
    let part = parts.count > 1 ? Double("0." + parts[1].filter(\.isNumber)) ?? 0 : 0
    return Double(whole) + part
  }
}

// What runs leave next to stores, and in them.
extension FleetPicture.Evidence {
  /// Takes what is in a work folder that is not next to its store.
  mutating func readWork(_ path: String) {
    do throws(SystemError) {
      let state = try FileSystem.record("\(path)/run/state.json", most: 64 << 20)
      guard let state, let document = try? JSONValue(reading: state, limits: .json),
        let store = document["store"]?.string,
        let folder = try? WorkFolder.of(store, work: path)
      else { return }
      take(try FleetPicture.LastRun.left(in: folder), .string(store))
    } catch {
      unseen.append("\(path): \(error.words).")
    }
  }
}

extension FleetPicture.LastRun {
  /// Takes where the store is from a run's first or last event, or from its summary.
  fileprivate mutating func place(_ event: JSONValue) {
    (path, host) = (event["path"]?.string, event["host"]?.string)
    inodes = Set([event["inode"]?.integer].compactMap(\.self))
    isShared = event["shared"]?.bool == true
  }

  /// The end of a run as a summary, a line of the summary of many, or its last event has it.
  init?(summary: JSONValue, at: Double) {
    let status = summary["status"]?.integer.map { Int32(clamping: $0) }
    let isOver = status != nil && status != 130 && status != 143
    let word = !isOver ? Self.interrupted : status == 0 ? Self.done : "failed"
    let outcome = isOver ? summary["outcome"]?.string ?? word : word
    // A store whose turn did not come has no run.
    guard summary["outcome"]?.string != "not begun" else { return nil }
    self.init(at: at, status: status, outcome: outcome)
    (run, path) = (summary["run"]?.string ?? "", summary["path"]?.string)
    (source, target) = (summary["source"]?.string, summary["target"]?.string)
    seconds = summary["seconds"]?.number
    warnings = summary["warnings"]?.array?.count ?? 0
    objects = outcome == "up to date" ? nil : summary["objects"]?.integer.map { Int($0) }
    for entity in summary["entities"]?.array ?? [] {
      objects = (objects ?? 0) + Int(entity["in"]?.integer ?? 0)
      rejected += Int(entity["rejected"]?.integer ?? 0)
    }
    lost = (summary["lost"]?.members).map { members in
      Dictionary(members.map { ($0.name, Int(clamping: $0.value.integer ?? 0)) }) { first, _ in
        first
      }
    }
    error = summary["error"]?.string ?? summary["message"]?.string
    if error == nil, status == 1 { error = Self.broken(summary["failures"]?.array ?? []) }
  }

  /// The first rule that objects break.
  private static func broken(_ failures: [JSONValue]) -> String? {
    failures.first.map { failure in
      // A check of the file's own has a name and no entity.
      let place = ["entity", "property"].compactMap { failure[$0]?.string }.filter { !$0.isEmpty }
      return "\(place.joined(separator: ".")): \(failure["rule"]?.string ?? "")"
    }
  }

  /// The last run that a store's own log names; nil when it was never migrated.
  init?(log metadata: Metadata) {
    guard let record = metadata.log.last?.dictionary, let run = record["run"]?.string else {
      return nil
    }
    self.init(
      at: RunID(text: run).start.timeIntervalSince1970, status: 0, outcome: Self.done)
    self.run = run
    (source, target) = (record["source"]?.string, record["target"]?.string)
    objects = record["in"]?.integer.map { Int($0) }
    rejected = record["rejected"]?.integer.map { Int($0) } ?? 0
  }

  /// What the last run has left in its work folder; nil when there is nothing.
  ///
  /// - Throws: `SystemError` when the folder cannot be read: it is for the user of the run alone.
  static func left(in folder: WorkFolder) throws(SystemError) -> Self? {
    guard let written = try modified(folder.statePath) else { return nil }
    let state: RunState
    do {
      guard let read = try RunState.read(folder) else { return nil }
      state = read
    } catch {
      var last = Self(at: written, status: 3, outcome: "unknown")
      last.error = "\(error)"
      return last
    }
    let isOver = state.phase >= .swapped
    let isRunning = !isOver && (try? RunLock.isTaken(folder)) == true
    // The state may be written once more behind the record of a failure; where a run is, is not.
    let cut = try modified(folder.progressPath) ?? written
    var last = Self(
      at: isRunning ? .infinity : isOver ? written : cut,
      status: isOver ? 0 : nil, outcome: isOver ? done : isRunning ? running : interrupted)
    if isOver, state.work != .run { last.outcome = "\(state.work.rawValue) done" }
    last.run = state.run
    guard let record = record(in: folder), record.run == state.run else { return last }
    // Of two files written within one tick of the clock, a run writes the record last.
    return record.at >= last.at ? record.merged(with: last) : last.merged(with: record)
  }

  /// The summary that the last run has left.
  private static func record(in folder: WorkFolder) -> Self? {
    guard let bytes = try? folder.record(), let written = try? modified(folder.recordPath),
      let document = try? JSONValue(reading: bytes, limits: .json)
    else { return nil }
    return Self(summary: document, at: written)
  }

  private static func modified(_ path: String) throws(SystemError) -> Double? {
    try FileEntry.at(path).map { Double($0.modified) / 1e9 }
  }

  /// Stands for the end of a run that this user may not see.
  static func hidden(in folder: WorkFolder, _ error: SystemError) -> Self {
    var last = Self(at: 0, status: 3, outcome: "unknown")
    last.error = """
      cannot look at the store's last run: \(folder.store)
      Its work folder cannot be read: \(error.words).
      Look once more, as the user who migrates the store.
      """
    return last
  }
}

extension JSONValue {
  /// The number, if this is one.
  fileprivate var number: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}

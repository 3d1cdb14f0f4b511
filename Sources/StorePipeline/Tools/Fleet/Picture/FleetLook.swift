package import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement
internal import Synchronization

extension FleetPicture {
  /// What a look is to name, and where else it may read.
  package struct Choices: Sendable {
    /// The models that name versions; without them runs and identifiers do.
    package var models: ModelSource?
    /// Files of events, or of what `run --json` prints.
    package var events: [String] = []
    /// Whether only versions are asked for, and not how runs ended.
    package var asksVersionsOnly = false
    /// How many stores are looked at at a time.
    package var threads = max(1, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}
  }

  /// Looks at stores; none is changed, and of a store only its schema and metadata are read.
  ///
  /// - Throws: `Failure` when a file of events cannot be read, `CancellationError` when the task
  ///   was cancelled.
  package static func look(
    at search: Search, _ choices: Choices = Choices()
  ) async throws -> FleetPicture {
    var evidence = Evidence()
    if !choices.asksVersionsOnly {
      for path in search.reports { try evidence.read(path, isAsked: false) }
      for path in choices.events { try evidence.read(path, isAsked: true) }
      try evidence.checkSilence(of: choices.events.count)
      for path in search.works {
        try Task.checkCancellation()
        evidence.readWork(path)
      }
    }
    let found = Set(search.stores)
    evidence.settle()
    let looks = try await looks(at: search, evidence, choices)
    // A run that is shown with its store was reported from a machine that shares its files.
    let shown = Set(looks.flatMap(\.members).compactMap { $0.last?.run }.filter { !$0.isEmpty })
    let isOne = Set(evidence.runs.values.compactMap(\.host)).count < 2
    let absent = evidence.runs.filter {
      !found.contains($0.key) && !shown.contains($0.value.run)
    }.map { path, last in
      let given = evidence.given[path] ?? path
      var member = Member(isOne ? given : last.path ?? given)
      member.host = isOne ? nil : last.host
      member.last = last
      member.version = last.word == LastRun.done ? last.target ?? last.source : last.source
      return member
    }
    var picture = FleetPicture(looks.flatMap(\.members) + absent)
    picture.unread = evidence.unread
    picture.unseen = search.unseen + evidence.unseen + looks.flatMap(\.unseen)
    picture.leftOut = search.leftOut
    for look in looks { picture.hashes.merge(look.hashes) { first, _ in first } }
    try picture.nameVersions(choices.models, logged: looks)
    return picture
  }

  /// What one of the threads that share the stores has found.
  fileprivate struct Look: Sendable {
    var members: [Member] = []
    var hashes: [String: [String: VersionHash]] = [:]
    var identifiers: [String: String] = [:]
    /// The version's name by a store's own log, by digest.
    var targets: [String: String] = [:]
    /// The version's name by a run that did not replace the store, by digest.
    var sources: [String: String] = [:]
    /// Work folders that cannot be read, and why.
    var unseen: [String] = []
  }

  private static func looks(
    at search: Search, _ evidence: Evidence, _ choices: Choices
  ) async throws -> [Look] {
    let stores = search.stores
    let next = Counter()
    return try await withThrowingTaskGroup(of: Look.self) { group in
      for _ in 0..<min(choices.threads, max(1, stores.count)) {
        group.addTask {
          try await RunThread.run {
            var look = Look()
            while let place = next.take(below: stores.count) {
              try Task.checkCancellation()
              look.take(stores[place], search.shown[place], evidence, choices)
            }
            return look
          }
        }
      }
      var looks: [Look] = []
      for try await look in group { looks.append(look) }
      return looks
    }
  }

  /// The place of the next store in the list, whichever thread asks.
  private final class Counter: Sendable {
    private let next = Atomic(0)

    func take(below count: Int) -> Int? {
      let place = next.add(1, ordering: .relaxed).oldValue
      return place < count ? place : nil
    }
  }

  /// The names by which runs have known the versions of the stores that are their backups now.
  ///
  /// One backup of each name is looked at, and few where they are gone.
  private var replacedVersions: [String: String] {
    var found: [String: String] = [:]
    var left = 20
    for member in members where member.last?.isDone == true && left > 0 {
      guard let name = member.last?.source, !found.values.contains(name),
        let folder = try? WorkFolder(store: member.store)
      else { continue }
      left -= 1
      let file = URL(filePath: folder.store).lastPathComponent
      guard let state = try? RunState.read(folder), state.work == .run,
        state.run == member.last?.run, let backup = state.backup?.path,
        let metadata = try? Store("\(backup)/\(file)", reading: .sound).metadata
      else { continue }
      found[metadata.digest ?? VersionHashes.digest(of: metadata.hashes)] = name
    }
    return found
  }

  /// Names each version, by models, else by what runs have recorded, else by its identifier.
  private mutating func nameVersions(_ models: ModelSource?, logged looks: [Look]) throws {
    let replaced = models == nil ? replacedVersions : [:]
    for (digest, hashes) in hashes {
      if let name = try models?.model(matching: hashes)?.name {
        names[digest] = (name, .model)
      } else if let name = looks.compactMap({ $0.targets[digest] }).min() {
        names[digest] = (name, .run)
      } else if let name = looks.compactMap({ $0.sources[digest] }).min() {
        names[digest] = (name, .run)
      } else if let name = replaced[digest] {
        names[digest] = (name, .run)
      } else if let name = looks.compactMap({ $0.identifiers[digest] }).first {
        names[digest] = (name, .identifier)
      }
      // Where models are named, a version that none of them has is unknown, whatever runs say.
      if models != nil, let name = names[digest], name.known != .model {
        names[digest] = (name.name, .none)
      }
    }
    for place in members.indices {
      guard let digest = members[place].digest else { continue }
      members[place].version = names[digest]?.name
    }
  }
}

extension FleetPicture.Look {
  /// Looks at one store; what is wrong with it is its own.
  fileprivate mutating func take(
    _ path: String, _ shown: String, _ evidence: FleetPicture.Evidence,
    _ choices: FleetPicture.Choices
  ) {
    var member = FleetPicture.Member(shown)
    var found = evidence.runs[path]
    var logged: String?
    do {
      // Its pages are not checked: a run does that, and `inspect` of one store.
      let store = try Store(path, reading: .sound)
      let metadata = store.metadata
      member.bytes = store.files.bytes + (store.files.walBytes ?? 0)
      let digest = metadata.digest ?? VersionHashes.digest(of: metadata.hashes)
      member.digest = digest
      hashes[digest] = hashes[digest] ?? metadata.hashes
      let name = metadata.identifiers.joined(separator: ", ")
      if !name.isEmpty { identifiers[digest] = name }
      if !choices.asksVersionsOnly {
        let record = FleetPicture.LastRun(log: metadata)
        targets[digest] = targets[digest] ?? record?.target
        logged = record?.run
        found = record?.merged(with: found) ?? found
        member.rejects = rejects(of: path, metadata)
      }
    } catch {
      let kind = (error as? Failure)?.kind ?? .refused
      var last = FleetPicture.LastRun(at: .infinity, status: kind.status, outcome: "unreadable")
      last.error = "\(error)"
      found = last
    }
    if !choices.asksVersionsOnly, let folder = try? WorkFolder(store: path) {
      do throws(SystemError) {
        let left = try FleetPicture.LastRun.left(in: folder)
        found = left?.merged(with: found) ?? found
      } catch {
        unseen.append("\(WorkFolder.usualWork(of: shown)): \(error.words).")
        found = found ?? FleetPicture.LastRun.hidden(in: folder, error)
      }
    }
    if let digest = member.digest, let source = found?.source, found?.run != logged {
      sources[digest] = source
    }
    member.last = found
    members.append(member)
  }

  /// How many objects wait to be retried; a file of rejects that cannot be read has none to show.
  private func rejects(of path: String, _ metadata: Metadata) -> Int {
    guard let folder = try? WorkFolder(store: path),
      let waiting = try? RejectStore.waiting(at: folder.rejectsPath, log: metadata.runs)
    else { return 0 }
    return waiting.reduce(0) { $0 + $1.count }
  }
}

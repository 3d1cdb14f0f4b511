internal import CoreDataStore
internal import Formats

/// One look at many stores: their versions, how their last runs ended, what is left to do.
///
/// It is put together from the stores, from what runs have left next to them, and from reports and
/// events that machines have sent.
package struct FleetPicture: Sendable {
  /// How the last run of a store ended, as far as anything says so.
  package struct LastRun: Sendable, Hashable {
    /// The run's id; empty where a store failed before it had one.
    package var run = ""
    /// The machine, and the store's path there, where an event has named them.
    var host: String?
    var path: String?
    /// The numbers of the store's file on its disk, before the run and after it.
    var inodes: Set<Int64> = []
    /// Whether that is the disk of another machine, which several may have.
    var isShared = false
    /// When this was written, in seconds since 1970: of two pieces of evidence the later counts.
    package var at: Double
    /// The status; nil where the run has not ended.
    package var status: Int32?
    /// How it ended, in a word or two.
    package var outcome: String
    package var source: String?
    package var target: String?
    package var objects: Int?
    package var seconds: Double?
    package var warnings = 0
    package var rejected = 0
    /// The message of the error that has ended it, or the first rule that objects break.
    package var error: String?
    /// How many values of each property are lost; nil where no report has counted them.
    package var lost: [String: Int]?

    package init(at: Double, status: Int32?, outcome: String) {
      (self.at, self.status, self.outcome) = (at, status, outcome)
    }

    /// The later of two pieces of evidence, with what the earlier one says of the same run.
    func merged(with other: LastRun?) -> LastRun {
      guard let other else { return self }
      if other.at > at { return other.merged(with: self) }
      if saysNothingNew || outcome == Self.dryRun, other.isDone {
        var last = other
        // A dry run does not say that the store is still what that run has left.
        if saysNothingNew { last.at = at }
        return last
      }
      guard other.run == run, !run.isEmpty else { return self }
      var all = self
      all.inodes.formUnion(other.inodes)
      all.isShared = isShared || other.isShared
      all.host = host ?? other.host
      all.path = path ?? other.path
      all.source = source ?? other.source
      all.target = target ?? other.target
      all.objects = objects ?? other.objects
      all.seconds = seconds ?? other.seconds
      all.warnings = max(warnings, other.warnings)
      all.rejected = max(rejected, other.rejected)
      if status == other.status { all.error = error ?? other.error }
      all.lost = lost ?? other.lost
      // A word that says more: "swapped" and not "done".
      if outcome == Self.done, other.status == 0 { all.outcome = other.outcome }
      return all
    }

    /// Whether this is the end of a run on another machine, of another store at the same path.
    ///
    /// Machines may share a disk. Then one runs what another has run before, and the file has one
    /// number for both. On disks of their own equal numbers say nothing: machines that start from
    /// one image give the same numbers. Events of older commands have no numbers.
    func isElsewhere(than other: LastRun) -> Bool {
      guard let host, let otherHost = other.host, host != otherHost else { return false }
      if !run.isEmpty, run == other.run { return false }
      if !inodes.isEmpty, !other.inodes.isEmpty {
        if inodes.isDisjoint(with: other.inodes) { return true }
        if isShared, other.isShared { return false }
      }
      let isNext =
        source != nil && source == other.target || target != nil && target == other.source
      // In doubt both are shown: a store too many is seen, and one too few is lost.
      return isFinal && other.isFinal && !isNext
    }

    private var isFinal: Bool {
      status.map { ![4, 5, 130, 143].contains($0) } == true && !saysNothingNew
    }

    /// Whether it found the store done: the run that made it is the one to show.
    var saysNothingNew: Bool {
      status == 0
        && (["up to date", "written before"].contains(outcome)
          || (outcome == Self.done && run.isEmpty))
    }

    /// Whether it has made a new store; one that has put a backup back has not.
    var isDone: Bool {
      status == 0 && !saysNothingNew
        && [Self.done, "swapped", "written", "retry done"].contains(outcome)
    }

    /// Whether a new store is begun or whole, and not in its place yet.
    var isHalfway: Bool { status == 0 && ["stopped", "staged"].contains(outcome) }

    /// Its outcome among those of other stores: one word for what is done.
    var word: String { isDone || saysNothingNew ? Self.done : outcome }

    /// The outcome of a run of which only the status is known.
    static let done = "done"
    /// The outcome of a run that has shown what it would do.
    static let dryRun = "dry run"
    /// The outcome of a run that was cut short.
    static let interrupted = "interrupted"
    /// The outcome of a run that is being carried out.
    static let running = "running"
  }

  /// What is known of one store.
  package struct Member: Sendable, Hashable {
    package var store: String
    /// The machine that has it, where events of several machines were read and it is not here.
    package var host: String?
    /// The main file and its log; nil where the store was not looked at.
    package var bytes: Int64?
    /// The digest of its version hashes; nil where it was not looked at or cannot be read.
    package var digest: String?
    package var version: String?
    /// Objects that scripts rejected and that wait to be retried.
    package var rejects = 0
    package var last: LastRun?

    package init(_ store: String) { self.store = store }

    /// The store as a person reads it: with its machine where there are several.
    package var shown: String { host.map { "\($0):\(store)" } ?? store }
  }

  /// What has to happen next to a store.
  package enum Need: Int, Sendable, CaseIterable {
    /// Nothing: its last run has made the new store, or found it there.
    case nothing
    /// A person: the run failed, or the store cannot be read.
    case person
    /// The same command again: the run was cut short or is halfway, or the store or the machine was
    /// busy.
    case repetition
    /// Time, because the run is being carried out.
    case time
    /// A run: nothing says that one has made a new store, or a backup was put back since.
    case run
  }

  /// How the name of a version is known.
  package enum Known: String, Sendable {
    /// One of the models that were named has it.
    case model
    /// A run has recorded it, in this store or in another one of the version.
    case run
    /// The developer gave the model this identifier.
    case identifier
    /// Nothing names it, or none of the models that were named has it.
    case none
  }

  /// A version that some of the stores have.
  package struct Version: Sendable, Hashable {
    /// Its name, or "unknown" with a part of its digest.
    package var name: String
    package var known: Known
    package var digest: String?
    package var count: Int
    package var bytes: Int64
    /// The path of a store that has it, and the machine of that where there are several.
    let store: String
    let host: String?

    /// One store that has it, as a person reads it.
    package var example: String { host.map { "\($0):\(store)" } ?? store }
  }

  package internal(set) var members: [Member]
  /// How the versions' names are known, by digest.
  var names: [String: (name: String, known: Known)] = [:]
  /// The hashes of each version, by digest.
  var hashes: [String: [String: VersionHash]] = [:]
  /// Files of events and reports that cannot be read, and why.
  package internal(set) var unread: [String] = []
  /// Folders that cannot be read, and why: they may have stores, or how their runs ended.
  package internal(set) var unseen: [String] = []
  /// What was found and not looked at, a sentence for each reason.
  package var leftOut: [String] = []

  /// A picture of stores that were looked at.
  package init(_ members: [Member]) {
    self.members = members.sorted { NameOrder.precedes($0.shown, $1.shown) }
  }

  /// The exit status of a program that has nothing else to say: 1 where a store needs a person, or
  /// the picture is not whole.
  package var status: Int32 {
    members.contains { $0.need == .person } || !unseen.isEmpty ? 1 : 0
  }

  package var bytes: Int64 { members.reduce(0) { $0 + ($1.bytes ?? 0) } }

  /// How many stores have this need.
  package func count(_ need: Need) -> Int { members.count { $0.need == need } }
}

extension FleetPicture.Member {
  /// What has to happen next to the store, by the status of its last run.
  package var need: FleetPicture.Need {
    guard let last else { return .run }
    switch last.status {
    case 0:
      let isDone = last.isDone || last.saysNothingNew
      return last.isHalfway ? .repetition : isDone ? .nothing : .run
    case 4, 5, 130, 143: return .repetition
    case .some: return .person
    case nil: return last.outcome == FleetPicture.LastRun.running ? .time : .repetition
    }
  }

  package var outcome: String { last?.outcome ?? "never run" }

  /// Its outcome among those of other stores.
  var word: String { last?.word ?? outcome }
}

// What the stores have in common.
extension FleetPicture {
  /// The versions, that of the most stores first.
  package var versions: [Version] {
    var found: [String: Version] = [:]
    for member in members {
      guard let name = member.version ?? member.digest.map(Self.unknown) else { continue }
      let key = member.digest ?? name
      var version =
        found[key]
        ?? Version(
          name: name, known: member.digest.flatMap { names[$0]?.known } ?? .run,
          digest: member.digest, count: 0, bytes: 0, store: member.store, host: member.host)
      if member.version == nil { version.known = .none }
      version.count += 1
      version.bytes += member.bytes ?? 0
      found[key] = version
    }
    return found.values.sorted {
      $0.count == $1.count ? NameOrder.precedes($0.name, $1.name) : $0.count > $1.count
    }
  }

  /// The name of a version that nothing names.
  static func unknown(_ digest: String) -> String { "unknown \(short(digest))" }

  /// The part of a digest that distinguishes versions, and may stand in a file's name.
  static func short(_ digest: String) -> String {
    String(digest.filter { $0.isLetter || $0.isNumber }.prefix(8))
  }

  /// How many stores ended with which status and outcome, that of the most stores first.
  package var statuses: [(status: Int32?, outcome: String, count: Int)] {
    Dictionary(grouping: members) { "\($0.last?.status ?? -1) \($0.word)" }.values
      .map { ($0[0].last?.status, $0[0].word, $0.count) }
      .sorted { $0.2 == $1.2 ? ($0.1, $0.0 ?? -1) < ($1.1, $1.0 ?? -1) : $0.2 > $1.2 }
  }

  /// The failures, those of one cause together, that of the most stores first.
  package var causes: [(cause: Cause, count: Int)] {
    var found: [String: (cause: Cause, count: Int)] = [:]
    for member in members {
      guard let cause = Cause(member) else { continue }
      found[cause.key, default: (cause, 0)].count += 1
    }
    return found.values.sorted {
      $0.count == $1.count
        ? NameOrder.precedes($0.cause.words, $1.cause.words) : $0.count > $1.count
    }
  }

  /// The stores whose last run took longest, where that is known.
  package func slowest(_ count: Int) -> [Member] {
    let timed = members.filter { $0.last?.seconds != nil }
    return Array(
      timed.sorted { ($0.last?.seconds ?? 0) > ($1.last?.seconds ?? 0) }.prefix(count))
  }

  package func largest(_ count: Int) -> [Member] {
    Array(members.filter { $0.bytes != nil }.sorted { $0.bytes ?? 0 > $1.bytes ?? 0 }.prefix(count))
  }

  /// How many stores are done without a report that has counted their losses.
  package var uncounted: Int {
    members.compactMap(\.last).count { $0.word == LastRun.done && $0.lost == nil }
  }

  /// How many values of each property are lost, and in how many stores; the most first.
  ///
  /// A run that failed has lost nothing: the old store is in place.
  package var losses: [(property: String, lost: Int, stores: Int)] {
    var found: [String: (lost: Int, stores: Int)] = [:]
    let done = members.compactMap(\.last).filter(\.isDone)
    for (property, lost) in done.flatMap({ $0.lost ?? [:] }) where lost > 0 {
      found[property, default: (0, 0)].lost += lost
      found[property, default: (0, 0)].stores += 1
    }
    return found.map { ($0.key, $0.value.lost, $0.value.stores) }
      .sorted { $0.1 == $1.1 ? NameOrder.precedes($0.0, $1.0) : $0.1 > $1.1 }
  }
}

extension FleetPicture {
  /// The stores of one status, outcome, need, machine or cause.
  ///
  /// "3" and "-" are a status, "to be run" is a need; a cause is meant by any part of its words.
  /// "anna:3" is those of one machine.
  package func stores(of which: String) -> [Member] {
    let parts = which.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, members.contains(where: { $0.last?.host == parts[0] }) {
      return Self.stores(of: parts[1], among: members.filter { $0.last?.host == parts[0] })
    }
    return Self.stores(of: which, among: members)
  }

  private static func stores(of which: String, among members: [Member]) -> [Member] {
    let need = words.first { $0.value == which }?.key
    let isStatus = which == "-" || Int32(which) != nil
    return members.filter { member in
      if let need { return member.need == need }
      let status = member.last?.status.map(String.init) ?? "-"
      // A number is no part of a reason: "0" would be every "4096 bytes".
      if isStatus { return status == which }
      return [member.outcome, member.last?.host].contains(which)
        || Cause(member)?.words.contains(which) == true
    }
  }

  /// What a person reads of stores with a need.
  static let words: [Need: String] = [
    .nothing: "done", .person: "failed", .repetition: "to be resumed", .time: "running",
    .run: "to be run",
  ]
}

extension FleetPicture {
  /// Why a store failed, without what distinguishes it from others that failed alike.
  package struct Cause: Sendable, Hashable {
    /// What stores of one cause have in common.
    let key: String
    package let status: Int32
    /// The reason, as the example has it.
    package let words: String
    /// What the reader can do now; empty where nothing says so.
    package let remedy: String
    package let example: String
    /// The example's path, and the machine that has it where there are several.
    let store: String
    let host: String?
    /// Whether a run has failed, and not the look at the store.
    let isOfRun: Bool
    /// The pipeline file that made no plan for the store.
    let file: String?

    /// The cause of a store's failure; nil where it did not fail.
    init?(_ member: Member) {
      guard let status = member.last?.status, ![0, 130, 143].contains(status) else { return nil }
      let text = ErrorText(member.last?.error ?? "")
      let reason = text.why.isEmpty ? member.outcome : text.why
      words = text.what.map { "\($0): \(reason)" } ?? reason
      let isOfRun = member.last?.run.isEmpty == false
      // What a script does is known only when it runs.
      let file: String? = isOfRun || text.file?.hasSuffix(".lua") == true ? nil : text.file
      remedy = file.map { "`pipeline plan` shows what \($0) does not say yet." } ?? text.remedy
      (self.status, example) = (status, member.shown)
      (store, host) = (member.store, member.host)
      (self.isOfRun, self.file) = (isOfRun, file)
      key = "\(status) \(Self.common(words, member.store))"
    }

    /// Names and numbers of one store are no part of a cause; a line of a script is.
    private static func common(_ text: String, _ store: String) -> String {
      let characters = Array(text.replacing(store, with: ""))
      var common = ""
      var isLine = false
      for (place, character) in characters.enumerated() {
        // "20.1" and "1,234" are numbers as "12" is.
        let isInside =
          (character == "." || character == ",")
          && characters[..<place].last?.isNumber == true
          && characters[(place + 1)...].first?.isNumber == true
        isLine = character.isNumber && (isLine || common.hasSuffix(":"))
        if isLine || !(character.isNumber || isInside) {
          common.append(character)
        } else if !common.hasSuffix("#") {
          common.append("#")
        }
      }
      return common
    }
  }
}

internal import CoreDataStore
internal import StoreReplacement

// What to do next.
extension FleetPicture {
  /// One thing to do, with the command that does it where there is one to paste.
  package struct Advice: Sendable, Hashable {
    package let words: String
    package let command: String?

    /// Where a machine is named, it is the one on which the command is to be given.
    init(words: String, command: String?, on host: String? = nil) {
      self.command = command
      guard let host, command != nil else {
        self.words = words
        return
      }
      let isOpen = words.hasSuffix(":")
      self.words = isOpen ? "\(words.dropLast()), on \(host):" : "\(words) On \(host):"
    }
  }

  /// What to do next, the most urgent first.
  package var advice: [Advice] {
    let all =
      failures + [interrupted, rejects, waiting, unnamed, running, hidden].compactMap(\.self)
    guard all.isEmpty else { return all }
    return [Advice(words: "Nothing is left to do.", command: nil)]
  }

  private var failures: [Advice] {
    var found: [(cause: Cause, count: Int)] = []
    for (cause, count) in causes where ![4, 5].contains(cause.status) {
      // Several causes may have one remedy.
      if let place = found.firstIndex(where: {
        $0.cause.status == cause.status && $0.cause.remedy == cause.remedy
      }) {
        found[place].count += count
      } else {
        found.append((cause, count))
      }
    }
    return found.map { cause, count in
      let remedy = cause.remedy.isEmpty ? "Look at one of them." : cause.remedy
      let words = "\(Plural.text(count, "store")) failed, status \(cause.status). \(remedy)"
      if let file = cause.file {
        let command = SuggestedCommand.text(["plan", file, cause.store])
        return Advice(words: words, command: command, on: cause.host)
      }
      let name = cause.isOfRun ? "status" : "inspect"
      // One command a cause: the remedy may have it, with its options.
      let isSaid = remedy.contains("pipeline \(name)")
      return Advice(
        words: words, command: isSaid ? nil : Self.command(name, cause.store), on: cause.host)
    }
  }

  private var interrupted: Advice? {
    let left = members.filter { $0.need == .repetition }
    guard !left.isEmpty else { return nil }
    let isHalfway = left.contains { $0.last?.isHalfway == true }
    // One that was busy before it began has nothing to resume.
    let begun = left.first { $0.last?.run.isEmpty == false && $0.last?.outcome != "failed" }
    return Advice(
      words: "\(Plural.text(left.count, "store")) "
        + "\(left.count == 1 ? "was" : "were") cut short, stopped, busy or refused by the machine: "
        + "give the same command again"
        + (isHalfway ? ", without --until and with a stage `swap`." : ".")
        + (begun == nil ? "" : " It resumes what was cut short. One alone:"),
      command: begun.map { Self.command("resume", $0.store) }, on: begun?.host)
  }

  private var rejects: Advice? {
    let waiting = members.filter { $0.rejects > 0 }
    guard let first = waiting.first else { return nil }
    let objects = Plural.text(waiting.reduce(0) { $0 + $1.rejects }, "object")
    return Advice(
      words: "\(objects) of \(Plural.text(waiting.count, "store")) were rejected by scripts. "
        + "Correct the script and retry them:", command: Self.command("retry", first.store))
  }

  /// Stores that no run has migrated.
  private var waiting: Advice? {
    let targets = Set(members.compactMap { $0.need == .nothing ? $0.last?.target : nil })
    let left = members.filter { member in
      member.need == .run && !targets.contains(member.version ?? "")
    }
    guard let first = left.first else { return nil }
    return Advice(
      words: "\(Plural.text(left.count, "store")) \(left.count == 1 ? "has" : "have") not been "
        + "migrated. See what a run would do:",
      command: SuggestedCommand.text(["plan", "FILE", first.store]), on: first.host)
  }

  private var unnamed: Advice? {
    let unknown = versions.filter { $0.known == .none }
    guard let first = unknown.first else { return nil }
    let keeping = unknown.first { $0.digest.flatMap(cachedModel(of:)) != nil }
    let isOne = unknown.count == 1
    let ways =
      keeping == nil
      ? "; no store keeps one of itself."
      : isOne
        ? ", or write the model that the store keeps of itself:"
        : ", or write the models that stores keep of themselves:"
    return Advice(
      words: "\(Plural.text(unknown.count, "version")) \(isOne ? "is" : "are") unknown: no model "
        + "names \(isOne ? "it" : "them"). \(first.example) has \(isOne ? "it" : "one of them"). "
        + "Name the models with --models\(ways)",
      command: keeping.map {
        isOne
          ? Self.command("model extract", $0.example)
          : SuggestedCommand.text(["inspect", "FOLDER", "--extract", "DIR"])
      })
  }

  private var running: Advice? {
    let count = count(.time)
    guard count > 0 else { return nil }
    return Advice(words: "\(Plural.text(count, "store")) being migrated now: wait.", command: nil)
  }

  private var hidden: Advice? {
    guard let first = unseen.first else { return nil }
    let count = Plural.text(unseen.count, "folder")
    return Advice(
      words: "\(count) cannot be read, and may have stores or say how runs ended: look once more, "
        + "as a user who may read them. \(unseen.count == 1 ? "It is" : "One is") \(first)",
      command: nil)
  }

  private static func command(_ name: String, _ store: String) -> String {
    SuggestedCommand.text(name.split(separator: " ").map(String.init) + [store])
  }
}

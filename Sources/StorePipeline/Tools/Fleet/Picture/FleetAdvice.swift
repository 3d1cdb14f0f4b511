internal import CoreDataStore
internal import StoreReplacement

// What to do next.
extension FleetPicture {
  /// One thing to do, with the command that does it where there is one to paste.
  package struct Advice: Sendable, Hashable {
    package let words: String
    package let command: String?
  }

  /// What to do next, the most urgent first.
  package var advice: [Advice] {
    let all = failures + [interrupted, rejects, waiting, unnamed, running].compactMap(\.self)
    guard all.isEmpty else { return all }
    return [Advice(words: "Nothing is left to do.", command: nil)]
  }

  private var failures: [Advice] {
    causes.filter { ![4, 5].contains($0.cause.status) }.map { cause, count in
      let remedy = cause.remedy.isEmpty ? "Look at one of them." : cause.remedy
      let name = cause.isOfRun ? "status" : "inspect"
      // One command a cause: the remedy may have it, with its options.
      let isSaid = remedy.contains("pipeline \(name)")
      return Advice(
        words: "\(Plural.text(count, "store")) failed, status \(cause.status). \(remedy)",
        command: isSaid ? nil : Self.command(name, cause.example))
    }
  }

  private var interrupted: Advice? {
    let left = members.filter { $0.need == .repetition }
    guard !left.isEmpty else { return nil }
    // One that was busy before it began has nothing to resume.
    let begun = left.first { $0.last?.run.isEmpty == false && $0.last?.outcome != "failed" }
    return Advice(
      words: "\(Plural.text(left.count, "store")) "
        + "\(left.count == 1 ? "was" : "were") cut short, busy or refused by the machine: give the "
        + "same command again."
        + (begun == nil ? "" : " It resumes what was cut short. One alone:"),
      command: begun.map { Self.command("resume", $0.store) })
  }

  private var rejects: Advice? {
    let waiting = members.filter { $0.rejects > 0 }
    guard let first = waiting.first else { return nil }
    let objects = Plural.text(waiting.reduce(0) { $0 + $1.rejects }, "object")
    return Advice(
      words: "\(objects) of \(Plural.text(waiting.count, "store")) were rejected by scripts. "
        + "Correct the script and retry them:", command: Self.command("retry", first.store))
  }

  /// Stores that no run has been through, where others were.
  private var waiting: Advice? {
    let targets = Set(members.compactMap { $0.last?.status == 0 ? $0.last?.target : nil })
    let left = members.filter { member in
      member.need == .run && !targets.contains(member.version ?? "")
    }
    guard let first = left.first else { return nil }
    return Advice(
      words: "\(Plural.text(left.count, "store")) \(left.count == 1 ? "has" : "have") not been "
        + "through a run. See what one would do:",
      command: SuggestedCommand.text(["plan", "FILE", first.store]))
  }

  private var unnamed: Advice? {
    let unknown = versions.filter { $0.known == .none }
    guard let first = unknown.first else { return nil }
    let keeping = unknown.first { $0.digest.flatMap(cachedModel(of:)) != nil }
    return Advice(
      words: "\(Plural.text(unknown.count, "version")) no model names, one of them that of "
        + "\(first.example). Name the models with --models"
        + (keeping == nil
          ? "; no store keeps one of itself."
          : ", or write the model that a store keeps of itself:"),
      command: keeping.map { Self.command("model extract", $0.example) })
  }

  private var running: Advice? {
    let count = count(.time)
    guard count > 0 else { return nil }
    return Advice(words: "\(Plural.text(count, "store")) being migrated now: wait.", command: nil)
  }

  private static func command(_ name: String, _ store: String) -> String {
    SuggestedCommand.text(name.split(separator: " ").map(String.init) + [store])
  }
}

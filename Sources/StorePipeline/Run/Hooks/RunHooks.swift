internal import CoreDataStore
internal import StoreReplacement

/// The programs of one run, and the moments at which they are started.
struct RunHooks {
  private let session: RunSession
  private var plan: Plan { session.plan }

  init(_ session: RunSession) { self.session = session }

  /// Starts the program of a stage whose turn has come.
  func run(_ hook: StageDeclarations.Hook) throws {
    try start(hook, facts(at: nil), stops: { Task.isCancelled })
  }

  /// Starts those that want to be heard at a moment; a failure ends the run.
  func tell(_ moment: HookMoment) throws {
    for hook in hooks(moment) { try start(hook, facts(at: moment), stops: { Task.isCancelled }) }
  }

  /// Reports that the new store is in its place; what fails is a warning.
  func tellSwapped() { warnOfFailures(.swapped, facts(at: .swapped)) }

  /// Reports how the run has ended; what fails is a warning.
  func tellEnd(status: Int32, outcome: String) {
    for moment in [HookMoment.failed, .finished] where moment == .finished || status != 0 {
      warnOfFailures(moment, facts(at: moment, status: status, outcome: outcome))
    }
  }

  /// A dry run starts none, nor does what finishes the swap of another file's run.
  private func hooks(_ moment: HookMoment) -> [StageDeclarations.Hook] {
    guard session.options.dryRun == nil, !session.finishesForAnother else { return [] }
    return plan.declarations.hooks.filter { $0.moments.contains(moment) }
  }

  private func warnOfFailures(_ moment: HookMoment, _ facts: HookFacts) {
    for hook in hooks(moment) {
      do {
        try start(hook, facts, stops: { false })
      } catch {
        session.log.warn(error)
      }
    }
  }

  private func start(
    _ hook: StageDeclarations.Hook, _ facts: HookFacts, stops: () -> Bool
  ) throws {
    let environment = session.options.environment
    let command = try HookCommand(hook, of: plan.pipeline, environment: environment)
    let name = PipelinePath.name(of: command.program)
    guard let programs = session.basis.programs else {
      throw Failure.defect(
        "nothing starts programs here", what: "cannot run the program", subject: command.program)
    }
    try programs.run(
      ProgramCall(command, facts, environment: environment), stops: stops
    ) { session.log.output("\(name): \($0)") }
  }

  private func facts(
    at moment: HookMoment?, status: Int32? = nil, outcome: String? = nil
  ) -> HookFacts {
    var known = [
      "run": session.log.run, "store": session.basis.store, "file": plan.pipeline.file,
      "target": plan.target.name,
    ]
    known["source"] = session.tally.source ?? plan.source?.name
    known["moment"] = moment?.rawValue
    known["status"] = status.map { "\($0)" }
    known["outcome"] = outcome
    known["new_store"] = newStore
    known["backup"] = session.tally.backup
    return HookFacts(known)
  }

  /// Where the new store is, from when it is whole until it has taken the old one's place.
  private var newStore: String? {
    switch session.tally.outcome {
    case nil: session.newStore
    case .written(let place): place
    default: nil
    }
  }
}

extension Run {
  /// Refuses programs that cannot be started here, or that the user does not trust as they are now.
  func checkPrograms() throws {
    guard options.dryRun == nil else { return }
    if programs == nil, let hook = plan.declarations.hooks.first {
      throw Failure(
        .misuse, what: "cannot run the pipeline", subject: plan.pipeline.file,
        why: "Its stage hook, line \(hook.line), starts a program, and this program starts none.",
        remedy: "Take the stage out, or give the run what starts programs.")
    }
    let trust = try HookTrust(
      plan.declarations.hooks, of: plan.pipeline, environment: options.environment)
    guard let trust else { return }
    guard try !options.trust.has(trust) else { return }
    throw untrusted(trust, since: try options.trust.earlier(trust))
  }

  private func untrusted(_ trust: HookTrust, since earlier: HookTrust?) -> Failure {
    let changes = earlier.map(trust.changes(since:)) ?? []
    let why =
      earlier == nil
      ? "It starts these programs, and has not been trusted."
      : changes.isEmpty
        ? "It has changed since it was trusted."
        : "Since it was trusted, \(Plural.list(changes.map(\.oneLine))) changed."
    let code = Set(trust.programs.map(\.path) + [trust.file])
    let hint =
      changes.allSatisfy(code.contains)
      ? ""
      : "A command must not name a file that its program writes: what it names is trusted as it "
        + "is. "
    // The first line is the whole reason: tables of many stores show no more.
    let programs = trust.programs.map {
      "\n  \($0.words.joined(separator: " ").oneLine)  (\($0.path.oneLine))"
    }
    return Failure(
      .misuse, what: "cannot run programs that are not trusted", subject: plan.pipeline.file,
      why: why + programs.joined(),
      remedy: hint + "Look at what it starts. Then type: "
        + SuggestedCommand.text(["trust", plan.pipeline.file]))
  }
}

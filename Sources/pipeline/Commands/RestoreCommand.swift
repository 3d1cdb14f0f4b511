import StorePipeline

/// `pipeline restore`: puts a backup in the place of a store.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "Put a backup in the place of a store."
  static let discussion = """
    The backup is read through first; one that is not what was copied is not used. What was in the \
    store's place is backed up, and replaced in one transaction: a status other than 0 means that \
    it is there as it was. A store that another process has is not replaced; the status is 5. A \
    store that is not there is made.

    A backup of another store, by its path or its UUID, replaces a store only with --force. A \
    store that is as such a backup has it already is left alone, and the status is 0. A backup's \
    own file is never replaced.

    Several stores are restored from a backup of several, each from its own part. All are checked \
    before the first is replaced; then each is replaced in a transaction of its own. --work names \
    a folder of work folders then.

    `pipeline resume` continues one that was cut short.
    """
  static let examples = [
    Example("Put a backup back", "pipeline restore before-update Notes.sqlite"),
    Example("Make a store of it elsewhere", "pipeline restore before-update Old.sqlite"),
    Example("Put two back that belong together", "pipeline restore both App.sqlite Cache.sqlite"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("backup", \.backup, "The backup's folder.", takes: .backup),
    .repeating("store", \.stores, "The stores; they need not be there.", takes: .store),
    .flag("force", \.force, "Replace a store by a backup of another one."),
    .option(
      "wait", value: "TIME", \.wait,
      "How long to wait for a process that has the store; 10 s unless given."),
  ]
  static let shared: SharedOptions = [.json, .work]
  static let outlivesLostResults = true

  var backup = ""
  var stores: [String] = []
  var force = false
  var wait: Wait?

  func run(_ context: Context) throws -> ExitStatus {
    let places = try places(context)
    let recoveries = try places.map { place in
      var recovery = try StoreRecovery(
        store: place.path, work: place.options.work, wait: wait.duration)
      recovery.resumed = context.resumed
      return recovery
    }
    if recoveries.count > 1 {
      try StoreRecovery.check(recoveries, backup, force: force)
      for place in places { try place.makeFolders() }
    }
    var summaries: [RestoreSummary] = []
    for (store, recovery) in zip(stores, recoveries) {
      do {
        summaries.append(try recovery.restore(backup, force: force, command: words(store)))
      } catch {
        if summaries.isEmpty { throw error }
        context.tell(summaries, of: stores.count)
        guard error is CancellationError else { throw error }
        throw interruption(after: summaries.count, places)
      }
    }
    context.tell(summaries, of: stores.count)
    return .done
  }

  /// The stores with their work folders; of several, each has its own in the folder of --work.
  private func places(_ context: Context) throws -> [FleetStore] {
    let options = RunOptions(work: context.options.work)
    return stores.count == 1
      ? [FleetStore(stores[0], options)] : try FleetStore.list(stores, options)
  }

  /// The words that continue the restoring of one store.
  private func words(_ store: String) -> [String] {
    CommandRecord.words(
      Self.name, [.path(backup), .path(store)] + (force ? [.flag("force")] : []))
  }

  /// Says which stores are left: those that are restored are in use again, perhaps.
  ///
  /// Each that is left has a command of its own: of fewer stores in one command, the work folders
  /// in that of --work would be called otherwise.
  func interruption(after count: Int, _ places: [FleetStore]) -> Interruption {
    let verb = count == 1 ? "is" : "are"
    let commands = places.dropFirst(count).map { place in
      [Self.name] + (force ? ["--force"] : [])
        + (place.options.work.map { ["--work", $0] } ?? [])
        + ([backup, place.path].contains { $0.hasPrefix("-") } ? ["--"] : []) + [
          backup, place.path,
        ]
    }
    return Interruption(
      stores: "\(count) of \(stores.count) stores \(verb) restored; the rest are unchanged.",
      commands: commands)
  }
}

extension Context {
  /// Says what restoring so many stores has done so far.
  func tell(_ summaries: [RestoreSummary], of count: Int = 1) {
    for warning in summaries.flatMap(\.warnings) { console.warn(warning) }
    console.result(
      options.json
        ? JSONRecovery.restore(summaries, of: count)
        : summaries.map(TextRecovery.restore).joined(separator: "\n"))
  }
}

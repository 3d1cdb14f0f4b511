import Foundation

/// Many small stores, migrated by one command.
extension Course {
  /// M1 of each.
  func fleet() throws -> Race {
    Race(
      name: "fleet", title: "M1 on \(Format.count(options.stores)) stores of 172 KB",
      source: try smallStore(), baseline: Names.script,
      contenders: [script, jobs(Names.oneJob, 1), jobs(Names.twoJobs, 2)],
      check: ContentCheck(tables: Self.renamed), stores: options.stores,
      // So many stores are a median of their own.
      mostRounds: options.isFull ? 1 : 3, keepsFiles: true)
  }

  private var script: Contender {
    Contender(
      name: Names.script, needs: [.program(python), .module("sqlite3", of: python)],
      prepare: copy, command: { [python, "\(peers)/fleet.py", $0.list.path] }, result: \.member)
  }

  private func jobs(_ name: String, _ count: Int) -> Contender {
    Contender(
      name: name, kind: .ours, lack: lack(ofProcessors: count), prepare: copy, rest: options.rest,
      command: { trial in
        [pipeline, "run", "\(trial.material)/rename.pipeline", "--quiet"]
          + ["--stores-from", trial.list.path, "--jobs", "\(count)"]
      }, result: \.member)
  }

  private func copy(_ trial: Trial) throws {
    let folder = trial.member.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stores = (1...options.stores).map { folder.appending(path: "\($0).sqlite") }
    for store in stores { try FileManager.default.copyItem(at: trial.source, to: store) }
    try Data(stores.map { $0.path + "\n" }.joined().utf8).write(to: trial.list)
  }
}

extension Trial {
  /// The list of a fleet's stores.
  fileprivate var list: URL { folder.appending(path: "stores.txt") }
  /// One of them.
  fileprivate var member: URL { folder.appending(path: "stores/1.sqlite") }
}

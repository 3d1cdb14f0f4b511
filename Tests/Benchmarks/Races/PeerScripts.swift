import Foundation

/// The ways of others, each a script or a program in the folder of the peers.
extension Course {
  /// A script for the shell, which uses that of SQLite.
  func shell(_ name: String, _ script: String, _ last: @escaping (Trial) -> String) -> Contender {
    Contender(
      name: name, needs: [.program("sqlite3")],
      command: { ["sh", "\(peers)/\(script).sh", $0.source.path, $0.result.path, last($0)] })
  }

  /// A script for Python that needs a package.
  func python(
    _ name: String, _ script: String, needs module: String, _ words: [String] = []
  ) -> Contender {
    Contender(
      name: name, needs: [.program(python), .module(module, of: python)],
      command: { trial in
        [python, "\(peers)/\(script).py"] + words
          + [trial.source.path, trial.result.path, trial.material]
      })
  }

  /// The program in C.
  func c(_ name: String, _ how: String) -> Contender {
    let needs = [Need(name: "a C compiler or Lua's headers", test: ["test", "-x", peer("m2")])]
    return Contender(
      name: name, needs: needs,
      command: { [peer("m2"), how, $0.source.path, $0.result.path, $0.material, peers] })
  }

  /// A script for one of the programs that run Lua.
  func lua(_ name: String, _ program: String, _ script: String, needs module: String) -> Contender {
    let loads = Need(name: "Lua's \(module)", test: [program, "-e", "require '\(module)'"])
    return Contender(
      name: name, needs: [.program(program), loads],
      command: { [program, "\(peers)/\(script).lua", $0.source.path, $0.result.path, $0.material] })
  }

  /// The file as it is, on the disk.
  var copying: Contender {
    Contender(
      name: Names.copy, kind: .limit,
      command: { ["sh", "\(peers)/copy.sh", $0.source.path, $0.result.path] }, result: nil)
  }
}

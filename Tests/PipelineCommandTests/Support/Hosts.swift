import Foundation
import Testing

/// Two servers of this machine, which `ssh` reaches by the names anna and ben.
struct Hosts {
  /// A line of GNU parallel's job log.
  struct Job {
    var host: String
    var status: Int
  }

  private let folder: URL

  /// Starts the servers, with keys of their own that are good for nothing else.
  init(in folder: URL) throws {
    self.folder = folder
    let start = try Tool.shell(Self.start, with: "bash", in: folder)
    try #require(start.status == 0, "sshd cannot be started: \(start.errors)")
  }

  /// Runs a line of shell where `ssh` knows the hosts.
  @discardableResult func shell(_ line: String) throws -> Tool.Outcome {
    try Tool.shell("PATH=\"$PWD/bin:$PATH\"; \(line)", in: folder)
  }

  /// The job log that was written.
  func log() throws -> [Job] {
    let text = try String(contentsOf: folder.appending(path: "jobs.log"), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Job(host: String(cells[1]), status: Int(cells[6]) ?? -1)
    }
  }

  /// Ends the servers.
  func stop() { _ = try? Tool.shell("kill $(cat anna.pid ben.pid)", in: folder) }

  /// Ports are asked of the system; a server that finds its port taken meanwhile ends at once.
  private static let start = """
    set -eu
    # sshd of root wants it, and only an installed service makes it.
    [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
    mkdir -p bin
    free='import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
    ssh-keygen -q -t ed25519 -N '' -f host
    ssh-keygen -q -t ed25519 -N '' -f own
    # A command that was built with a sanitizer keeps the options of this process.
    options="ASAN_OPTIONS=${ASAN_OPTIONS:-} TSAN_OPTIONS=${TSAN_OPTIONS:-}"
    for name in anna ben; do
      port=$(python3 -c "$free")
      printf '%s\\n' "ListenAddress 127.0.0.1" "Port $port" "HostKey $PWD/host" \\
        "AuthorizedKeysFile $PWD/own.pub" "PidFile $PWD/$name.pid" "StrictModes no" \\
        "UsePAM no" "PasswordAuthentication no" "SetEnv PATH=$PATH $options" > $name.sshd
      printf '%s\\n' "Host $name" "  HostName 127.0.0.1" "  Port $port" \\
        "  IdentityFile $PWD/own" "  UserKnownHostsFile /dev/null" \\
        "  StrictHostKeyChecking no" "  LogLevel ERROR" >> ssh.config
      /usr/sbin/sshd -f $PWD/$name.sshd -E $PWD/$name.log
    done
    printf '#!/bin/sh\\nexec /usr/bin/ssh -F "%s" "$@"\\n' "$PWD/ssh.config" > bin/ssh
    chmod +x bin/ssh
    for name in anna ben; do
      for try in 1 2 3 4 5 6 7 8 9 10; do bin/ssh $name true && break; sleep 0.3; done
      bin/ssh $name true
    done
    """
}

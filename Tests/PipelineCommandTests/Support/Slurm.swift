import Foundation
import Testing

/// A cluster of this machine alone, as Debian's packages `slurm-wlm` and `munge` make it.
struct Slurm {
  private let folder: URL

  /// Whether the programs are installed.
  static let isThere = ["slurmctld", "slurmd", "munged", "sbatch"].allSatisfy(Tool.isThere)

  /// Starts the controller and the one node; both keep their files in a folder of their own.
  init(in folder: URL) throws {
    self.folder = folder
    let start = try Tool.shell(Self.start, in: folder)
    try #require(start.status == 0, "Slurm cannot be started: \(start.output)\(start.errors)")
  }

  /// Runs a line of shell that may ask the cluster.
  @discardableResult func shell(_ line: String) throws -> Tool.Outcome {
    try Tool.shell("export SLURM_CONF=\"$(cat cluster)/slurm.conf\"; \(line)", in: folder)
  }

  /// Ends the cluster, and what it runs.
  func stop() {
    _ = try? shell(
      """
      scancel --user "$(id -un)"; scontrol shutdown; sleep 1
      cd "$(cat cluster)" && kill $(cat node.pid controller.pid munge.pid); rm -rf "$PWD"
      """)
  }

  /// Starts it in a folder with a short path.
  ///
  /// A socket's path has "108 bytes" at most (unix(7)).
  private static let start = #"""
    set -eu
    PATH=$PATH:/usr/sbin
    place=$(mktemp -d /tmp/slurm.XXXXXX)
    chmod 755 "$place"
    echo "$place" > cluster
    free='import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
    host=$(hostname -s)
    cat > "$place/slurm.conf" <<CONF
    ClusterName=pipeline
    SlurmctldHost=$host(127.0.0.1)
    SlurmUser=$(id -un)
    SlurmdUser=$(id -un)
    AuthInfo=socket=$place/munge.socket
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    JobAcctGatherType=jobacct_gather/none
    SelectType=select/cons_tres
    SelectTypeParameters=CR_Core_Memory
    ReturnToService=2
    KillWait=10
    StateSaveLocation=$place/state
    SlurmdSpoolDir=$place/spool
    SlurmctldPidFile=$place/controller.pid
    SlurmdPidFile=$place/node.pid
    SlurmctldLogFile=$place/controller.log
    SlurmdLogFile=$place/node.log
    SlurmctldPort=$(python3 -c "$free")
    SlurmdPort=$(python3 -c "$free")
    NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=1100
    PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
    CONF
    mkdir "$place/state" "$place/spool"
    (umask 077 && head -c 1024 /dev/urandom > "$place/munge.key")
    # What stays must keep none of this process's files open: by one of them its end is seen.
    apart() { python3 -c 'import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))' "$@"; }
    apart munged --force --key-file="$place/munge.key" --socket="$place/munge.socket" \
      --pid-file="$place/munge.pid" --log-file="$place/munge.log" \
      --seed-file="$place/munge.seed" > "$place/start.log" 2>&1
    export SLURM_CONF=$place/slurm.conf
    apart slurmctld >> "$place/start.log" 2>&1
    apart slurmd >> "$place/start.log" 2>&1
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && exit 0
      sleep 0.5
    done
    cat "$place"/*.log
    exit 1
    """#
}

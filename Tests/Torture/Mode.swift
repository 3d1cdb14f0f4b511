/// A way in which a call goes wrong.
enum Mode: String, CaseIterable, Sendable {
  /// The process is killed before it.
  case kill
  /// Half of it is done, then the process is killed.
  case torn
  /// It fails, once.
  case inputOutput = "EIO once"
  /// It and all that follow fail: the disk is full.
  case full = "ENOSPC from then on"
  /// SIGTERM comes before it, and the command ends in order.
  case interrupt = "SIGTERM"

  /// What the counter is set to: 5 is EIO and 28 ENOSPC, on Linux and on macOS.
  func fault(at point: Int) -> String {
    switch self {
    case .kill: "kill:\(point)"
    case .torn: "tear:\(point)"
    case .inputOutput: "5:\(point)"
    case .full: "28:\(point)+"
    case .interrupt: "term:\(point)"
    }
  }

  /// The status of a command that ends because of it before anything is exchanged.
  var refusal: Int32 { self == .interrupt ? 143 : 4 }

  /// Whether the process ends at the point.
  var kills: Bool { self == .kill || self == .torn }
}

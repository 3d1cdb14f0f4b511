/// How much one model may still unfold into.
///
/// Composites and archived objects are shared and may contain themselves, so that a small file can
/// hold work without end. All that reads one model pays from one budget. Once it is used up,
/// readers find nothing more, and the code that made the budget throws with `check()`.
final class UnfoldBudget {
  private var parts: Int
  private var bytes: Int

  /// A full budget.
  ///
  /// Compiled models of several hundred entities unfold into some hundred thousand parts.
  init(parts: Int = 2_000_000, bytes: Int = 256 << 20) {
    self.parts = parts
    self.bytes = bytes
  }

  /// Pays for parts and for bytes that are read or kept; false once the budget is used up.
  @discardableResult
  func spend(parts spentParts: Int = 1, bytes spentBytes: Int = 0) -> Bool {
    guard !isUsedUp else { return false }
    parts -= spentParts
    bytes -= spentBytes
    return !isUsedUp
  }

  /// Whether more was asked for than there was.
  var isUsedUp: Bool { parts < 0 || bytes < 0 }

  /// Refuses a model for which the budget was not enough.
  func check() throws(Failure) {
    guard isUsedUp else { return }
    throw Failure(
      readingModel: "",
      why: "It unfolds into more than any data model has: parts of it are shared "
        + "very often, or contain themselves.")
  }
}

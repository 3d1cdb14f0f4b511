/// What happens to object URIs (`x-coredata://...`) that an application saved.
public struct PlannedURIs: Sendable, Hashable {
  /// Why some of them lead nowhere afterwards, a sentence a reason.
  public let reasons: [String]
  /// Where the store itself holds such URIs, as text.
  public let mentions: [Mention]

  /// A place of the store that holds URIs.
  public struct Mention: Sendable, Hashable {
    /// "Note.text", or "metadata lastNote".
    public let place: String
    /// How many values hold one.
    public let count: Int64

    package init(place: String, count: Int64) {
      self.place = place
      self.count = count
    }
  }

  /// What was found.
  package init(reasons: [String], mentions: [Mention]) {
    self.reasons = reasons
    self.mentions = mentions
  }

  /// Whether some of them lead nowhere afterwards.
  public var breaks: Bool { !reasons.isEmpty }
}

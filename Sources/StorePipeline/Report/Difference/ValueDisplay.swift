/// How much of users' values a report shows.
package enum ValueDisplay: String, Sendable, CaseIterable {
  /// All of them; only very long ones are cut.
  case full
  /// The part that differs, with a little around it.
  case short
  /// Digests: whether values are equal can be seen, what they are cannot.
  case hash
  /// Nothing: that there was a value, and that it changed.
  case none

  /// The most characters of a text.
  var longest: Int { self == .full ? 20_000 : 120 }

  /// Whether values can be read.
  package var isReadable: Bool { self == .full || self == .short }
}

/// An object of the source that was rejected, with the reason.
package struct Reject: Sendable, Hashable {
  package var entity: String
  /// Its Z_PK in the source.
  package var key: Int64
  /// Why it was rejected, without values.
  package var reason: String
  /// The script's file.
  package var script: String
  /// The line of the script, 0 where none is known.
  package var line: Int
  /// The object's values as a binary property list, so that it can be made later on.
  package var values: [UInt8]
  /// The version that the step leads to in which it was rejected; nil where it was not noted.
  package var step: String?

  /// An object with all that is known of it.
  package init(
    entity: String, key: Int64, reason: String, script: String, line: Int, values: [UInt8],
    step: String? = nil
  ) {
    self.entity = entity
    self.key = key
    self.reason = reason
    self.script = script
    self.line = line
    self.values = values
    self.step = step
  }
}

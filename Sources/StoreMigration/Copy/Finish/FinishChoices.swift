package import Formats

/// What a finished store says of itself, as far as there is a choice.
package struct FinishChoices: Sendable {
  /// What happens to the history of changes.
  package enum History: Sendable {
    /// It is kept, with the numbers and keys that its objects have now.
    case keep
    /// It is kept but for all that is no later than the last change of an object whose entity ends.
    case truncate
    /// It goes as a whole; tokens that an application saved then lead nowhere.
    case drop
  }

  /// Names or patterns of entries that do not come over; `*` stands for anything.
  package var removeMetadata: [String]
  /// Names or patterns of entries that come over nevertheless.
  package var keepMetadata: [String]
  /// Entries with their new values.
  package var setMetadata: [String: PropertyList]
  /// Whether the store gets an identity of its own.
  package var newUUID: Bool
  /// What happens to the history of changes.
  package var history: History
  /// Whether a mirror to CloudKit is carried over; otherwise it is left behind.
  package var carriesMirror = false
  /// The time with which the history is marked, in seconds since 2001; nil leaves it unmarked.
  package var marksHistory: Double?
  /// The record of this run, to stand at the end of the log.
  package var runRecord: PropertyList?
  /// The file in which the associations of old and new objects are kept; nil for none.
  package var associations: String?
  /// Whether SQLite checks the finished file; who seals it for a swap checks it then.
  package var checksFile: Bool
  /// Whether values were taken out of objects that were there already: then the whole file is
  /// written again, so that none of them is left in the rest of a page.
  package var isRevised = false

  /// The choices for a store on the way: it keeps everything but what a later one could not find.
  package var onTheWay: FinishChoices {
    var choices = FinishChoices(history: history == .truncate ? .truncate : .keep)
    choices.carriesMirror = carriesMirror
    return choices
  }

  /// Choices in all their parts; without any, everything is kept.
  package init(
    removeMetadata: [String] = [], keepMetadata: [String] = [],
    setMetadata: [String: PropertyList] = [:], newUUID: Bool = false, history: History = .keep,
    runRecord: PropertyList? = nil, associations: String? = nil, checksFile: Bool = true
  ) {
    self.removeMetadata = removeMetadata
    self.keepMetadata = keepMetadata
    self.setMetadata = setMetadata
    self.newUUID = newUUID
    self.history = history
    self.runRecord = runRecord
    self.associations = associations
    self.checksFile = checksFile
  }
}

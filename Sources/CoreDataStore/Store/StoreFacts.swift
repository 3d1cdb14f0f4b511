/// Everything that can be said of a store without changing it.
public struct StoreFacts: Sendable {
  package let files: StoreFiles
  /// The size of a page.
  public let pageSize: Int
  /// How SQLite keeps its transactions: "wal", "delete" and so on.
  public let journalMode: String
  /// Whether a clone was read, because reading would have written next to the store.
  public let isClone: Bool
  /// What the store says of itself.
  public let metadata: Metadata
  /// Which version of its model it was made with.
  package let recognition: ModelRecognition
  /// The entities, by number.
  public let entities: [EntityFacts]
  /// Whether the entities' bytes are an estimate.
  public let areBytesEstimated: Bool
  /// The tables of pairs, by name.
  public let joins: [TableFacts]
  /// The files next to the store that it refers to; nil when no model says which columns to look
  /// at.
  package let externalFiles: ExternalFiles?
  /// The persistent history; nil when none is kept.
  public let history: HistoryFacts?
  /// The tables of CloudKit mirroring.
  public let cloudKit: [TableFacts]
  /// What a mirror knows of the server; nil without a mirror, or when only a part was read.
  public let mirror: MirrorFacts?
  /// All triggers, by name.
  public let triggers: [TriggerFacts]
  /// Objects of the database that neither Core Data nor the model explains.
  public let foreign: [ForeignObject]
  /// What is strange and does no harm.
  public let warnings: [StoreWarning]

  /// Whether only a part of the store was read: see ``Store/isBrief``.
  public let isBrief: Bool

  /// What SQLite's check of the whole file said; a store with problems cannot be opened.
  public var integrity: String { isBrief ? "not checked" : "ok" }
}

/// What is in a store of one entity.
public struct EntityFacts: Hashable, Sendable {
  /// The entity's name.
  public let name: String
  /// Its number in the store, Z_ENT.
  public let number: Int64
  /// The entity it inherits from.
  public let parent: String?
  /// The number of that entity; 0 for none.
  public let parentNumber: Int64
  /// Its table.
  public let table: String
  /// How many objects are of this very entity.
  public let rows: Int64
  /// Whether that is an estimate, because counting would have taken too long.
  public let isEstimate: Bool
  /// How many rows of its table name no entity in Z_ENT that can have objects there.
  ///
  /// It is counted for the entity without a parent; in a table of one entity they are among its
  /// ``rows``.
  public let strays: Int64
  /// What they take in the database: their share, by rows, of the table and its indexes.
  public let bytes: Int64
  /// The version hash in the metadata.
  public let hash: VersionHash?
}

/// A table and its rows.
public struct TableFacts: Hashable, Sendable {
  /// The table's name.
  public let table: String
  /// How many rows it has.
  public let rows: Int64
}

/// How much history a store keeps.
public struct HistoryFacts: Hashable, Sendable {
  /// The transactions.
  public let transactions: Int64
  /// The changes in them.
  public let changes: Int64
}

/// A trigger, and why it is there.
public struct TriggerFacts: Hashable, Sendable {
  /// Why a trigger is there.
  public enum Purpose: String, Hashable, Sendable {
    /// It keeps a derived attribute, by functions that Core Data alone has.
    case derived
    /// It keeps a spatial index.
    case spatial
    /// The application or another program made it.
    case foreign
  }

  /// The trigger's name.
  public let name: String
  /// The table it is of.
  public let table: String
  /// Why it is there.
  public let purpose: Purpose
}

/// An object of the database that neither Core Data nor the model explains.
public struct ForeignObject: Hashable, Sendable {
  /// What it is: "table", "column", "index", "view", "trigger", "virtual table" or "constraint".
  public let kind: String
  /// Its name.
  public let name: String
  /// The table it belongs to; its own name for a table.
  public let table: String
}

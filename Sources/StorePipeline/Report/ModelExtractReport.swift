package import CoreDataStore

/// What `model extract` says: a model as XML, and what the form cannot carry.
package struct ModelExtractReport: Sendable {
  /// The model's name.
  package let version: String
  package let hashes: ModelHashReport
  /// The text of the file `contents`.
  package let xml: String
  /// What the model has and the form cannot carry.
  package let losses: [String]
  /// Where it was written; nil for nowhere.
  package let path: String?

  /// The report of a model that was written as XML.
  package init(_ model: Model, xml: String, losses: [String], path: String?) {
    version = model.name
    hashes = ModelHashReport(model)
    self.xml = xml
    self.losses = losses
    self.path = path
  }
}

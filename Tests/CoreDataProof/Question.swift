import CoreData
import Foundation

/// What the command line asks, of which store.
struct Question {
  private static let usage = "usage: core-data read|save|migrate MODEL STORE [--history]"
  private let verb: String
  private let store: ProofStore

  /// The question of a command line.
  init(_ arguments: [String]) throws {
    guard arguments.count == 4 || arguments.count == 5 && arguments[4] == "--history",
      ["read", "save", "migrate"].contains(arguments[1])
    else { throw Trouble(description: Self.usage) }
    guard let model = NSManagedObjectModel(contentsOf: URL(filePath: arguments[2])) else {
      throw Trouble(description: "\(arguments[2]) is no compiled model")
    }
    verb = arguments[1]
    store = ProofStore(
      model: model, url: URL(filePath: arguments[3]), keepsHistory: arguments.count == 5)
  }

  /// Asks, and prints what there is to say.
  func ask() throws {
    if verb == "migrate" {
      try store.migrate()
    } else {
      try store.read(saving: verb == "save")
    }
  }
}

/// Something other than a refused migration is wrong.
struct Trouble: Error, CustomStringConvertible {
  let description: String
}

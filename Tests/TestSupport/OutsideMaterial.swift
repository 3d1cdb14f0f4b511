public import Foundation

/// Folders outside the project that some tests read; a test that lacks one is skipped aloud.
public enum OutsideMaterial: String, CaseIterable, Sendable {
  /// Real stores and models, written by Apple's Core Data.
  case corpus = "PIPELINE_CORPUS"
  /// Hostile scripts.
  case attacks = "PIPELINE_ATTACKS"

  /// The folder, when the environment names one that exists.
  public var folder: URL? {
    guard let path = ProcessInfo.processInfo.environment[rawValue],
      FileManager.default.fileExists(atPath: path)
    else { return nil }
    return URL(filePath: path)
  }

  /// Whether tests that need it can run.
  public var isThere: Bool { folder != nil }
}

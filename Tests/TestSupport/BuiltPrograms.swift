public import Foundation

/// The programs that were built with the tests.
public enum BuiltPrograms {
  /// Where they are: on macOS beside the test bundle, elsewhere beside the test.
  public static let folder: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }()
}

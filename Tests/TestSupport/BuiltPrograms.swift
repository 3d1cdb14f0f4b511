public import Foundation

/// The programs that were built with the tests.
public enum BuiltPrograms {
  /// Where they are: on macOS next to the test bundle, elsewhere next to the test.
  public static let folder: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }()
}

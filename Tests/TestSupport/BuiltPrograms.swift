public import Foundation

/// The programs that were built with the tests.
public enum BuiltPrograms {
  /// Where they are: on macOS next to the test bundle, elsewhere next to the test.
  ///
  /// A bundle is asked for by what is in it: the helper that runs Swift Testing on macOS opens it
  /// as a library, so that it is not among all bundles until then.
  public static let folder: URL = {
    let bundle = Bundle(for: Member.self)
    return bundle.bundlePath.hasSuffix(".xctest")
      ? bundle.bundleURL.deletingLastPathComponent() : Bundle.main.bundleURL
  }()

  private final class Member {}
}

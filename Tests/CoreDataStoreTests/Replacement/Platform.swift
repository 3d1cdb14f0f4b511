/// What the tests of replacing do in another way on each platform.
enum Platform {
  /// The option of cp that clones a file or fails.
  static var cloning: [String] {
    #if canImport(Darwin)
    ["-c"]
    #else
    ["--reflink=always"]
    #endif
  }
}

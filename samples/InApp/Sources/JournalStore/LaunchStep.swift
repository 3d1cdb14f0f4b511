/// What an app does after ``migrateAtLaunch(_:progress:time:)``.
public enum LaunchStep: Sendable, Hashable {
  /// Open the store: it is of the app's version, or there is none yet and Core Data makes one.
  case open(migrated: Bool)
  /// Show no data yet, and call again: when the app is back on the screen, in the background, or at
  /// the next launch.
  case wait
  /// Call again in a moment: an extension of the app has the store open.
  case tryAgain(String)
  /// Call again at the next launch: the disk is full, or the device is locked. Ask for room if it
  /// is the disk.
  case tryLater(String)
  /// Say that the data is safe, and send yourself the text: a new version of the app has to help.
  case report(String)
}

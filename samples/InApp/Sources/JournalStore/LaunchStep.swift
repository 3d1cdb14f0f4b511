/// What an app does after ``migrateAtLaunch(_:progress:time:)``.
public enum LaunchStep: Sendable, Hashable {
  /// Open the store: it is of the app's version, or there is none yet and Core Data makes one.
  case open(migrated: Bool)
  /// Show no data yet, and call again: at the next launch, or in the background.
  case wait
  /// Call again in a moment: an extension of the app has the store open.
  case tryAgain(String)
  /// Ask for room on the device, and call again at the next launch.
  case makeRoom(String)
  /// Say that the data is safe, and send yourself the text: a new version of the app has to help.
  case report(String)
}

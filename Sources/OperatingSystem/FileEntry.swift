internal import SystemHost

/// Which file a path leads to, whatever it is called.
package struct FileIdentity: Hashable, Codable, Sendable {
  /// The device the file lives on.
  package let device: UInt64
  /// Its number there.
  package let inode: UInt64

  /// An identity from its two parts.
  package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
}

/// What a name in the file system stands for, links not followed.
package struct FileEntry: Equatable {
  package let identity: FileIdentity
  package let size: Int64
  package let isRegular: Bool
  package let isFolder: Bool
  package let isLink: Bool
  /// Whether it is this user's.
  package let isOwn: Bool
  /// Whether only its owner, or the system, can give what is in this folder other names.
  package let keepsNames: Bool
  /// How many names the file has.
  package let links: Int
  /// When the content and when anything about it changed last, in nanoseconds since 1970.
  package let modified: Int64
  package let changed: Int64

  /// Who runs this program, which does not change: to ask costs as much as to look at the file.
  private static let user = sh_user()

  private init(_ status: sh_status) {
    identity = FileIdentity(device: status.device, inode: status.inode)
    size = status.size
    (isRegular, isFolder, isLink) = (status.is_regular, status.is_folder, status.is_link)
    isOwn = status.owner == Self.user
    // "A file in a directory with the sticky bit may be renamed or removed only by its owner, the
    // directory's owner, or root" (chmod(2)).
    let isClosed = status.mode & 0o022 == 0 || status.mode & 0o1000 != 0
    keepsNames = isClosed && (isOwn || status.owner == 0)
    links = Int(clamping: status.links)
    (modified, changed) = (status.modified, status.changed)
  }

  /// What is at the path; nil when nothing is.
  package static func at(_ path: String) throws(SystemError) -> Self? {
    var status = sh_status()
    let result = unsafe sh_status_at(path, &status)
    if result < 0, SystemError("lstat", -result).isMissing { return nil }
    try SystemError.check("lstat", result)
    return Self(status)
  }

  /// What a descriptor is open on.
  package static func of(_ file: borrowing OpenDescriptor) throws(SystemError) -> Self {
    try of(descriptor: file.number)
  }

  /// What is open under a number.
  package static func of(descriptor: Int32) throws(SystemError) -> Self {
    var status = sh_status()
    try SystemError.check("fstat", unsafe sh_status_of(descriptor, &status))
    return Self(status)
  }
}

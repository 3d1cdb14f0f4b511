// File systems on which locks and syncs are another machine's word.
extension FileSystem {
  /// The file systems of other machines, by the names that Linux has for them.
  package static let remoteKinds: Set = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "afs", "ceph", "coda", "lustre",
    "fuse.sshfs", "fuse.glusterfs",
  ]

  /// The kind of file system on a device, as its line in mountinfo names it (proc(5)): the device
  /// is the third word, the kind follows " - ".
  package static func kind(ofDevice device: UInt64, in lines: String) -> String {
    let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
    let minor = device & 0xff | device >> 12 & ~0xff
    for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count > 2, words[2].elementsEqual("\(major):\(minor)".utf8),
        let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash + 1 < words.count
      else { continue }
      return String(Substring(words[dash + 1]))
    }
    return ""
  }
}

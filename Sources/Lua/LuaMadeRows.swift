import LuaHost

/// What functions of a script returned for rows, to be used by a loop over the same rows.
@safe package final class LuaMadeRows: @unchecked Sendable {
  // Sendable because no thread writes to it once it is here.
  let rows: lh_made

  /// Takes over what a loop has made.
  init(taking rows: lh_made) { unsafe self.rows = rows }

  deinit {
    var rows = unsafe rows
    unsafe lh_made_free(&rows)
  }

  /// The memory that it takes.
  package var byteCount: Int { unsafe rows.capacity }
}

import LuaHost

/// An object that a script reads and writes by name while the call it was passed to lasts.
package protocol LuaRecord: AnyObject {
  /// The value under a name; throws where there is no such name.
  func read(_ name: String) throws -> LuaValue

  /// Takes a value under a name; throws where it cannot be.
  func write(_ name: String, _ value: LuaValue) throws
}

/// Carries a record through C.
final class RecordBox {
  let record: any LuaRecord
  private var reply = Reply()

  init(_ record: any LuaRecord) { self.record = record }

  func answer(_ name: String, _ value: LuaValue?, _ reply: UnsafeMutablePointer<lh_reply>) {
    unsafe self.reply.fill(reply) {
      if let value {
        try record.write(name, value)
        return []
      }
      return [try record.read(name)]
    }
  }
}

/// What a host function answered, kept until it is asked again.
@safe final class Reply {
  private var values: ValueBuffer?
  private var message: UnsafeMutablePointer<CChar>?

  deinit { unsafe message?.deallocate() }

  /// Runs the function and points C at what it gave, or at its error's text.
  func fill(_ reply: UnsafeMutablePointer<lh_reply>, _ body: () throws -> [LuaValue]) {
    do {
      let buffer = ValueBuffer(values: try body())
      values = buffer
      unsafe reply.pointee.values = buffer.values
    } catch let error as LuaError where error.line > 0 {
      // An error of a script further in, on its way out: it knows its own place.
      let text = unsafe hold("\(error.file):\(error.line): \(error.message)")
      unsafe reply.pointee.error = text
      unsafe reply.pointee.has_place = 1
    } catch let error as LuaError {
      // One without a place gets that of the call.
      unsafe reply.pointee.error = hold(error.message)
    } catch {
      let text = unsafe hold("\(error)")
      unsafe reply.pointee.error = text
    }
  }

  private func hold(_ text: String) -> UnsafePointer<CChar> {
    if let message = unsafe message { unsafe message.deallocate() }
    let bytes = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
    unsafe message = copy
    return unsafe UnsafePointer(copy)
  }
}

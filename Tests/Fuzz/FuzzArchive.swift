/// One input of the fuzzer: property lists and keyed archives must give an error or a value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let list = try? BinaryPropertyList(bytes) {
    for index in 0..<list.count { _ = list.node(index) }
    if let value = try? list.value() {
      // What was read within the limits of depth can be written, and is then read again.
      let written = try? BinaryPropertyListWriter.write(value)
      precondition(written.map { (try? BinaryPropertyList($0)) != nil } == true)
    }
  }
  if let archive = try? KeyedArchive(bytes) { walk(archive) }
  if let plain = try? Deflate.inflate(bytes, limit: 1 << 20) { _ = try? KeyedArchive(plain) }
  return 0
}

/// Asks every object that can be reached everything that it can be asked.
private func walk(_ archive: KeyedArchive) {
  _ = try? archive.readable()
  guard let root = try? archive.root else { return }
  var waiting = [root]
  var seen: Set<Int> = []
  while let object = waiting.popLast() {
    guard seen.insert(object.index).inserted else { continue }
    _ = (object.string, object.number, object.data, object.date, object.uuid)
    _ = (object.url, object.decimal, object.classNames, object.isNull, object["NSEntities"]?.index)
    waiting += object.fields.values
    waiting += object.elements ?? []
    for (key, value) in object.entries ?? [] { waiting += [key, value] }
  }
}

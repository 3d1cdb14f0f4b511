// sources: Formats OperatingSystem SQLite CoreDataStore

/// One input of the fuzzer: a model's XML, a compiled model, a mapping model, predicate text.
///
/// What can be read must also be hashed, compared with itself and written without a fault.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let model = try? SourceModelReader.read(bytes, name: "fuzz") { use(model) }
  if let model = try? CompiledModelReader.read(bytes, name: "fuzz") { use(model) }
  _ = try? MappingModelReader.read(bytes)
  let predicate = PredicateParser.predicate(String(decoding: bytes, as: UTF8.self))
  _ = predicate.unreadable
  if case .unknown = predicate { return 0 }
  let again = PredicateParser.predicate(predicate.description)
  precondition(again.description == predicate.description, predicate.description)
  return 0
}

private func use(_ model: Model) {
  precondition(ModelDifference(from: model, to: model).isEmpty)
  _ = VersionHashes(of: model).digest
  _ = try? ModelWriter(model)
}

// The stores between the versions of a chain: each is the source of the next step, and goes then.
extension RunFolder {
  /// The store that a step makes; the last one makes the new store itself.
  package func path(ofStep step: Int, of count: Int) -> String {
    step == count - 1 ? nextPath : "\(path)/step-\(step + 1).sqlite"
  }

  /// The store that a step reads.
  package func source(ofStep step: Int, of count: Int) -> String {
    step == 0 ? sourcePath : path(ofStep: step - 1, of: count)
  }

  /// Removes what a step has read, when it was made by the step before it.
  package func removeSource(ofStep step: Int, of count: Int) throws {
    if step > 0 { try StagedFile.remove(source(ofStep: step, of: count)) }
  }
}

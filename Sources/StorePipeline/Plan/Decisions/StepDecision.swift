extension StepNeeds {
  /// Something that may settle a decision.
  package struct Answer: Sendable, Hashable {
    /// Where an answer has to be written, if anywhere.
    package enum Kind: Sendable, Hashable {
      /// A line of the stage `copy`.
      case rule
      /// A function of the entity's script, which has it as a comment.
      case script
      /// The same, still to be written by hand.
      case stub
      /// A stage behind the copy, which the file has as a comment.
      case stage
      /// The mapping does what is wanted.
      case leave
    }

    package let kind: Kind
    /// The line of the stage, or the function of the script.
    package let text: String
    /// Why it is likely, or what it does.
    package let note: String

    init(_ kind: Kind, _ text: String, _ note: String) {
      (self.kind, self.text, self.note) = (kind, text, note)
    }

    /// What a person reads, on one line.
    package var line: String {
      switch (text.isEmpty, note.isEmpty) {
      case (false, false): "\(text)   \(note)"
      case (false, true): text
      case (true, _): note
      }
    }
  }

  /// Something that the user alone can decide.
  package struct Decision: Sendable, Hashable {
    /// The version that its step leads to.
    package let step: String
    /// The entity or property, as `undecided` lists it.
    package let name: String
    package let why: String
    /// Whether it is about values that no two objects may share: the same property may have to be
    /// decided otherwise too.
    var isUnique = false
    /// What may settle it, the likeliest first.
    package let answers: [Answer]

    /// What distinguishes it from the others of its step, whatever answers it offers.
    package var key: String { isUnique ? "\(name), unique" : name }
  }
}

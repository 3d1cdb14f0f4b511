internal import CoreDataStore
internal import Lua

extension StepNeeds {
  /// How texts of a store name dates.
  struct DateForms {
    /// A form that `date.parse` is given; nil for ISO 8601.
    typealias Form = String?

    /// The forms that read the texts, those of most texts first.
    let forms: [Form]
    /// How many of the texts they read.
    let read: Int
    /// What is said of the forms.
    let note: String
    /// The forms with day and month the other way round, where no text says which of the two it is.
    let others: (forms: [Form], note: String)?

    /// The forms of the texts of an attribute, as far as they are known.
    init(_ values: [AttributeValue]) {
      let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
      var sets: [Form: Set<Int>] = [:]
      for form in Self.known {
        let read = texts.indices.filter { Self.reads(texts[$0], form) }
        if !read.isEmpty { sets[form] = Set(read) }
      }
      var open = Set(texts.indices)
      var chosen: [(form: Form, count: Int)] = []
      while let best = Self.largest(sets, in: open) {
        chosen.append((best, sets[best]?.intersection(open).count ?? 0))
        open.subtract(sets[best] ?? [])
      }
      let forms = chosen.map(\.form)
      let turned = forms.map { form in
        Self.twin(of: form).flatMap { sets[form] == sets[$0] ? $0 : nil } ?? form
      }
      let unsure = Set(
        zip(forms, turned).flatMap { form, other -> Set<Int> in
          let twin = Self.twin(of: form)
          let isUnsure = form != other || twin != nil && forms.contains(twin)
          return isUnsure ? (sets[form] ?? []).intersection(sets[twin] ?? []) : []
        })
      let notes = [forms, turned].map { forms in
        let parts = zip(forms, chosen).map { (form: $0, count: $1.count) }
        return Self.note(parts, of: texts.count, unsure: unsure.count)
      }
      (self.forms, note) = (forms, notes[0])
      others = turned == forms ? nil : (turned, notes[1])
      read = texts.count - open.count
    }

    /// The form of most texts that are still open, the first of several.
    private static func largest(_ sets: [Form: Set<Int>], in open: Set<Int>) -> Form? {
      var best: (form: Form, count: Int)?
      for form in known {
        let count = sets[form]?.intersection(open).count ?? 0
        if count > best?.count ?? 0 { best = (form, count) }
      }
      return best.map(\.form)
    }

    /// What reads a text of any of these forms, as Lua writes it.
    static func parsing(_ name: String, _ forms: [Form]) -> String {
      forms.map { form in
        form.map { "date.parse(\(name), \(LuaText.quoted($0)))" } ?? "date.parse(\(name))"
      }.joined(separator: " or ")
    }

    /// A text of a form, for the tests that are written.
    static func example(_ form: Form) -> String {
      let parts = [
        "yyyy": "2001", "MM": "01", "M": "1", "MMM": "Jan", "dd": "02", "d": "2", "h": "9",
        "H": "9",
        "mm": "30", "ss": "00", "a": "AM",
      ]
      guard let form else { return "2001-01-01" }
      return form.replacing(/([A-Za-z])\1*/) { parts[String($0.output.0)] ?? "" }
    }

    private static func note(
      _ chosen: [(form: Form, count: Int)], of all: Int, unsure: Int
    ) -> String {
      let iso = "; of texts such as 2026-11-21 or 2026-11-21T09:30:00Z"
      let read = chosen.map(\.count).reduce(0, +)
      var note = chosen.first?.form.map { "; of texts of the form \($0), in UTC" } ?? iso
      if chosen.count > 1 {
        let parts = chosen.map { "\($0.count) of \(all) as \($0.form ?? "2026-11-21")" }
        note = "; the forms are mixed: " + parts.joined(separator: ", ")
      }
      if unsure > 0 { note += "; day and month cannot be distinguished in \(unsure) of \(all)" }
      return read == all ? note : note + "; a run ends at \(all - read) of \(all), of no such form"
    }

    private static func reads(_ text: String, _ form: Form) -> Bool {
      // Most texts are no dates at all.
      8...32 ~= text.utf8.count && LuaState.date(of: text, form: form) != nil
    }

    private static let twins = [("d/M/yyyy", "M/d/yyyy"), ("d-M-yyyy", "M-d-yyyy")]

    private static func twin(of form: Form) -> Form {
      guard let form else { return nil }
      for (first, second) in twins {
        if form.hasPrefix(first) { return second + form.dropFirst(first.count) }
        if form.hasPrefix(second) { return first + form.dropFirst(second.count) }
      }
      return nil
    }

    private static let days =
      ["d.M.yyyy"] + twins.flatMap { [$0.0, $0.1] } + [
        "yyyy/M/d", "yyyy.M.d", "yyyyMMdd", "d MMM yyyy", "d. MMM yyyy", "d-MMM-yyyy",
        "MMM d, yyyy",
        "MMM d yyyy",
      ]

    private static let times = [
      "", " H:mm", " H:mm:ss", ", H:mm", " h:mm a", ", h:mm a", " h:mm:ss a",
    ]

    private static let known: [Form] =
      [nil] + days.flatMap { day in times.map { time -> Form in day + time } }
  }
}

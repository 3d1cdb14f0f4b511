internal import CoreDataStore
internal import Foundation
internal import StoreMigration

// Values that may go to an attribute of another name and another type.
extension StepNeeds {
  /// An attribute that may take the values of another one, and what makes them fit.
  private struct Candidate {
    let old: Attribute
    let score: Int
    /// The rule or the function, with what is known of it.
    let answer: StepNeeds.Answer
    /// The function, for the scripts of these objects; nil for a rule.
    var value: Value?
    var objects: [ObjectMapping] = []
    /// A text that can be converted, as Lua writes it.
    let text: String?
  }

  /// The conversions that give the values of an attribute without a place to one of another type;
  /// those to a similar name first.
  mutating func conversions(
    from parts: [String]
  ) -> (near: [StepNeeds.Answer], others: [StepNeeds.Answer]) {
    guard parts.count == 2, let object = mapping.objects(from: parts[0]),
      let entity = target.entity(named: object.target),
      let old = source.attribute(parts[1], of: parts[0])
    else { return ([], []) }
    let found = likely.others(for: old, object).flatMap { other -> [Candidate] in
      let owner = target.attribute(named: other.item.name, of: entity)?.declaredBy.name
      return owner.map { candidates(for: other.item, $0, from: old, other) } ?? []
    }
    let best = offer(found)
    return (
      best.filter { $0.score >= Self.near }.map(\.answer),
      best.filter { $0.score < Self.near }.map(\.answer)
    )
  }

  /// The conversions that give a new attribute the values of one of another type that has no place.
  mutating func conversions(
    of attribute: Attribute, _ owner: String, _ objects: [ObjectMapping]
  ) -> [StepNeeds.Answer] {
    guard let object = objects.first else { return [] }
    let found = likely.others(into: attribute, object).flatMap { other in
      candidates(for: attribute, owner, from: other.item, other)
    }
    return offer(found).map(\.answer)
  }

  /// The likeliest, each function in its script.
  private mutating func offer(_ found: [Candidate]) -> [Candidate] {
    let likeliest = found.map(\.score).max() ?? 0
    let best = found.filter { $0.score == likeliest || 2 * $0.score >= likeliest }.enumerated()
      .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
      .prefix(Self.most).map(\.element)
    for candidate in best {
      for object in candidate.objects {
        if let text = candidate.text {
          examples["\(object.source).\(candidate.old.name)", default: []].insert(text)
        }
        if let value = candidate.value { add(value, to: object.source) }
      }
    }
    return best
  }

  /// More would be no choice.
  private static let most = 4
  /// What a similar name counts: more than all else.
  private static let near = 100
  /// What a word in common counts: more than what the values say of two numbers.
  private static let partner = 60

  /// What may turn the values of one attribute into those of another.
  private func candidates(
    for place: Attribute, _ owner: String, from old: Attribute, _ other: LikelyRenamings.Other
  ) -> [Candidate] {
    let isNear = other.isNear
    let objects = objects(without: place.name, of: owner).objects
    guard let object = objects.first,
      objects.allSatisfy({ $0.fate(of: old.name) == .dropped(isDeclared: false) })
    else { return [] }
    let values = samples.values(old.name, of: object.source)
    let conversion = Conversion(from: old.type, to: place.type)
    let functions = functions(place, from: old.name, of: object)
    // Any number or date can be written as a text: that says nothing.
    let isNamed = isNear || other.isPartner
    guard let fit = fit(old, place, values, object.target),
      isNamed
        || fit.isLikely && (place.type != .string || samples.haveBoth && !values.isEmpty)
          && !(values.isEmpty && old.type == .string && hasGiver(place, object))
    else { return [] }
    let unit = UnitChange(from: likely.name(old.name), to: likely.name(place.name))
    let score =
      (isNear ? Self.near : 0) + (other.isPartner || unit != nil ? Self.partner : 0) + fit.score
    let note = isNear ? "a similar name" : "\(owner).\(place.name) is new"
    var found: [Candidate] = []
    let wrong = conversion.map { rule in values.count { rule.convert($0) == nil } } ?? 0
    if let conversion, place.isOptional || !old.isOptional, values.isEmpty || wrong < values.count {
      let convert = SnippetText.convert(old.name, to: place.type)
      let some =
        wrong > 0 ? ", a run ends at \(wrong) of \(values.count) values in the store" : fit.note
      found.append(
        Candidate(
          old: old, score: score,
          answer: .init(
            .rule, SnippetText.map(owner, place.name, convert),
            "\(note)\(some)\(unit?.warning ?? ""); \(conversion.rule)"),
          objects: objects, text: old.type == .string ? place.type.convertibleText : nil))
    }
    guard let made = functions.first, found.isEmpty || made.isSpecial else { return found }
    let entities = objects.map(\.source).joined(separator: ", ")
    let candidates = functions.map { made in
      var value = Value(
        attribute: place, parameters: [old.name],
        why: "It may take the values of \(old.name), which have no other place.", body: made.body,
        isOffered: true, kept: old.name, text: made.text)
      value.isOffered = !isChosen(value, owner, from: old.name, objects)
      // How many numbers fit as they are says nothing of those in another unit.
      let fits = made.changesUnit ? "" : fit.note
      let answer = StepNeeds.Answer(
        .script, value.function, "in the script of \(entities); \(note)\(fits)\(made.note)")
      return Candidate(
        old: old, score: score, answer: answer, value: value, objects: objects, text: made.text)
    }
    return made.comesFirst ? candidates + found : found + candidates
  }

  /// Whether an attribute of the same type has lost its place: that is likelier to be the new one
  /// than a text of which nothing is known.
  private func hasGiver(_ place: Attribute, _ object: ObjectMapping) -> Bool {
    !likely.givers(of: place, object).isEmpty
  }

  /// How well the values of the store fit, and what is said of it; nil where they do not.
  private func fit(
    _ old: Attribute, _ place: Attribute, _ values: [AttributeValue], _ entity: String
  ) -> (isLikely: Bool, score: Int, note: String)? {
    let hint = old.name.hints(at: place) ? 10 : 0
    guard !values.isEmpty else {
      // Few texts are identifiers or addresses.
      let isRare = old.type == .string && [.uuid, .uri].contains(place.type)
      // A moment is one by its name; a number that is none would be another one.
      let isMoment = place.type == .date && hint == 0
      return (!isRare && !(isMoment && old.type.isLuaNumber), isMoment ? -1 : hint, "")
    }
    let conversion = Conversion(from: old.type, to: place.type)
    if samples.haveBoth, let conversion,
      let share = samples.share(of: values.compactMap(conversion.convert), in: place.name, entity)
    {
      return share == 0 ? nil : (share >= 50, share, ", \(share) % of the values alike")
    }
    if let choices = conversion.map({ StepNeeds.Samples.choices(values, besides: $0) }),
      choices.count > 1, place.type.isInteger
    {
      return (true, 40 + hint, ", \(choices.count) different texts in the store")
    }
    if place.type == .date, case .string? = values.first, !values.allSatisfy(\.isUnixTime) {
      let read = DateForms(values).read
      return (2 * read >= values.count, 50 * read / values.count + hint, "")
    }
    let areHundredths = Self.areHundredths(old.name, old.type, place, values)
    let fitting = values.count { value in
      if areHundredths, value.number.map(old.type.isHundredths) == true { return true }
      guard case .string(let text) = value else { return conversion?.convert(value) != nil }
      return text.isValue(of: place.type) || conversion?.convert(value) != nil
    }
    let all = values.count == 1 ? "1 value" : "\(values.count) values"
    return (
      2 * fitting >= values.count, 50 * fitting / values.count + hint,
      ", \(fitting) of \(all) in the store can be converted"
    )
  }

  /// Whether the user has taken a function, as an answer to what it gives a value or to what it
  /// takes the value of.
  func isChosen(
    _ value: Value, _ owner: String, from old: String, _ objects: [ObjectMapping]
  ) -> Bool {
    let names = Set(
      objects.flatMap { object in
        let lineage = source.entity(named: object.source).map(source.lineage) ?? []
        return ["\(owner).\(value.attribute.name)"] + lineage.map { "\($0.name).\(old)" }
      })
    return names.contains {
      answers[$0].map { $0.kind == .script && $0.text == value.function } ?? false
    }
  }
}

// The functions that make a value of another type.
extension StepNeeds {
  /// A function's body, as Lua writes it.
  struct Body {
    let body: String
    /// A text that it takes, as Lua writes it; nil where it is given no text.
    let text: String?
    /// Whether it does what no conversion of a pipeline file does.
    var isSpecial = false
    /// Whether it is likelier than that conversion.
    var comesFirst = false
    var note = ""
    /// Whether it makes a number of another unit.
    var changesUnit = false
  }

  /// What a function says of a text that it has no value for.
  static let unconvertible = "The value cannot be converted"

  /// What has no value of the other type must not be lost in silence.
  static let refusal = "error(\(LuaText.quoted(unconvertible)))"

  /// What makes a value of another type, the likelier first; several where the values do not say
  /// which it is, none where nothing is likely to.
  func functions(_ attribute: Attribute, from old: String, of object: ObjectMapping) -> [Body] {
    guard let before = source.attribute(old, of: object.source) else { return [] }
    if before.type == .string, attribute.type == .date, Self.parameter(old) == old,
      let rest = attribute.rest
    {
      let values = samples.values(old, of: object.source)
      return Self.dates(of: old, values, attribute.isOptional ? "" : " or \(rest)")
    }
    return [function(attribute, from: old, of: object)].compactMap(\.self)
  }

  private func function(
    _ attribute: Attribute, from old: String, of object: ObjectMapping
  ) -> Body? {
    guard let before = source.attribute(old, of: object.source), before.type != attribute.type,
      Self.parameter(old) == old, let rest = attribute.rest
    else { return nil }
    let end = attribute.isOptional ? "" : " or \(rest)"
    let values = samples.values(old, of: object.source)
    switch (before.type, attribute.type) {
    case (.string, _) where attribute.type.isLuaNumber:
      return Self.number(of: before, attribute, values, end)
    case (.string, .boolean): return Self.truth(of: old, values, attribute.isOptional ? nil : rest)
    case (_, .date) where before.type.isLuaNumber && old != attribute.name:
      let isUnix = values.isEmpty ? nil : values.allSatisfy(\.isUnixTime)
      return Body(
        body: "return \(old) and date.fromUnix(\(old))\(end)", text: nil, isSpecial: true,
        comesFirst: isUnix == true, note: "; seconds since 1970")
    case (_, _)
    where attribute.type.isLuaNumber && (before.type.isLuaNumber || before.type == .decimal):
      if let changed = Self.changed(before, attribute) { return changed }
      if let whole = Self.hundredths(of: old, before.type, attribute, values) { return whole }
      return before.type == .decimal ? nil : Body(body: "return \(old)\(end)", text: nil)
    default: return nil
    }
  }

  /// A number of a text: one for each choice, where the texts are the names of choices.
  private static func number(
    of before: Attribute, _ attribute: Attribute, _ values: [AttributeValue], _ end: String
  ) -> Body {
    let old = before.name
    if let whole = hundredths(of: old, .string, attribute, values) { return whole }
    if !attribute.type.isInteger, haveCommas(values) {
      return Body(
        body: "return \(old) and (tonumber((\(withPoint(old)))) or \(refusal))\(end)",
        text: LuaText.quoted("0"), isSpecial: true, note: comma)
    }
    let conversion = Conversion(from: .string, to: attribute.type)
    let choices = conversion.map { StepNeeds.Samples.choices(values, besides: $0) } ?? []
    let table = numbers(for: choices, conversion, before, attribute)
      .map { "\(LuaText.key($0.word)) = \($0.number)" }.joined(separator: ", ")
    let value = choices.isEmpty ? "tonumber(\(old))" : "({ \(table) })[\(old)]"
    return Body(
      body: "return \(old) and (\(value) or \(refusal))\(end)",
      text: LuaText.quoted(choices.first ?? "0"), isSpecial: !choices.isEmpty)
  }

  /// A number for each of the names of choices: the old default has that of the new one, or the
  /// first, whether the store has it or not.
  private static func numbers(
    for choices: [String], _ conversion: Conversion?, _ before: Attribute, _ attribute: Attribute
  ) -> [(word: String, number: Int64)] {
    guard !choices.isEmpty else { return [] }
    let first = attribute.plainExample().flatMap { Int64($0) } ?? 0
    var usual: [(word: String, number: Int64)] = []
    if case .string(let word)? = before.defaultValue, !word.isEmpty || choices.contains(word),
      conversion?.convert(.string(word)) == nil
    {
      let number = attribute.defaultValue.flatMap { Int64($0.luaText ?? "") }
      usual = [(word, number ?? first)]
    }
    let others = choices.filter { $0 != usual.first?.word }
    let free = (0...Int64(choices.count)).map { first &+ $0 }
      .filter { $0 != usual.first?.number }
    let all = usual + zip(others, free).map { (word: $0, number: $1) }
    return all.sorted { $0.number < $1.number }
  }

  /// Whether hundredths of numbers are meant: the name says so, or the store has such numbers, and
  /// none that is finer.
  private static func areHundredths(
    _ old: String, _ type: AttributeType, _ place: Attribute, _ values: [AttributeValue]
  ) -> Bool {
    guard place.type.isInteger, UnitChange.mayBeMoney(from: old, to: place.name) else {
      return false
    }
    guard !values.isEmpty else {
      return PlainName(place.name).words.contains { word in
        ["cent", "cents", "pence", "penny", "pennies"].contains(String(word))
      }
    }
    let numbers = values.compactMap(\.number).filter(\.isFinite)
    return numbers.contains { $0.rounded() != $0 } && numbers.allSatisfy(type.isHundredths)
  }

  /// Hundredths of a number, where they are meant; a number that is finer ends the run.
  private static func hundredths(
    of old: String, _ type: AttributeType, _ attribute: Attribute, _ values: [AttributeValue]
  ) -> Body? {
    guard areHundredths(old, type, attribute, values), let rest = attribute.rest else { return nil }
    let number = type.isLuaNumber ? old : "(tonumber(\(old)) or \(refusal))"
    return Body(
      body: "if \(old) == nil then return \(rest) end local cents = \(number) * 100 "
        + "local whole = math.floor(cents + 0.5) "
        + "return math.abs(cents - whole) <= \(type.rounding) * math.abs(cents) "
        + "and math.tointeger(whole) or \(refusal)",
      text: type.isLuaNumber ? nil : LuaText.quoted("0"), isSpecial: true, comesFirst: true,
      note: "; in hundredths")
  }

  /// Whether the texts that are no numbers have a comma where a number has its point; where three
  /// digits follow, it may stand behind thousands.
  private static func haveCommas(_ values: [AttributeValue]) -> Bool {
    let others = values.filter { $0.number == nil }
    return !others.isEmpty
      && others.allSatisfy { $0.text?.wholeMatch(of: /[+-]?[0-9]+,[0-9]{1,2}/) != nil }
  }

  /// The text with a point for its comma.
  ///
  /// One that may have thousands keeps the comma, and so is no number.
  private static func withPoint(_ old: String) -> String {
    #"\#(old):gsub("^([+-]?%d+),(%d%d?)$", "%1.%2")"#
  }

  private static let comma = "; a comma is read as the point"

  /// What keeps the value of an attribute under its own name as one of another type: no value that
  /// does not fit is lost in silence.
  func kept(_ attribute: Attribute, from old: String, of object: ObjectMapping) -> Body? {
    guard let before = source.attribute(old, of: object.source), Self.parameter(old) == old,
      let end = attribute.isOptional ? Optional("") : attribute.rest.map({ " or \($0)" })
    else { return nil }
    let text = before.type == .string ? attribute.type.convertibleText : nil
    func body(_ code: String) -> Body { Body(body: "return \(code)\(end)", text: text) }
    switch (before.type, attribute.type) {
    case (.string, .decimal) where Self.haveCommas(samples.values(old, of: object.source)):
      return Body(
        body: "if \(old) == nil then return \(attribute.rest ?? "nil") end "
          + "local number = \(Self.withPoint(old)) "
          + "return tonumber(number) and number or \(Self.refusal)",
        text: text, note: Self.comma)
    case (.string, .decimal):
      return body("\(old) and (tonumber(\(old)) and \(old) or \(Self.refusal))")
    case (.string, .uuid), (.string, .uri):
      let form = attribute.type == .uuid ? "^%x+%-%x+%-%x+%-%x+%-%x+$" : "^%a[%w+.-]*:%S+$"
      return body("\(old) and (\(old):match(\(LuaText.quoted(form))) or \(Self.refusal))")
    case (.decimal, _) where attribute.type.isLuaNumber:
      return body("\(old) and tonumber(\(old))")
    case (_, .decimal) where before.type.isLuaNumber: return body(old)
    default: return nil
    }
  }

  /// A truth value of a text.
  private static func truth(
    of old: String, _ values: [AttributeValue], _ rest: String?
  ) -> Body? {
    // Behind an "or", it would take the place of false, too.
    let start = rest.map { "if \(old) == nil then return \($0) end return" }
    let usual = ["yes", "no", "true", "false", "1", "0"]
    let seen = Set(values.compactMap(\.text).map { $0.lowercased() })
    let others = seen.filter { $0.truth != nil && !usual.contains($0) }.sorted()
    let table = (usual + others).map { "\(LuaText.key($0)) = \($0.truth == true ? 1 : 0)" }
      .joined(separator: ", ")
    return Body(
      body: (start ?? "return \(old) and")
        + " (({ \(table) })[\(old):lower()] or \(refusal)) == 1",
      text: LuaText.quoted("0"), isSpecial: true, note: "; other texts end the run")
  }

  /// A date of a text: in one of the forms that the store has, or a number of seconds since 1970.
  private static func dates(of old: String, _ values: [AttributeValue], _ end: String) -> [Body] {
    if !values.isEmpty, values.allSatisfy(\.isUnixTime) {
      return [
        Body(
          body: "return \(old) and date.fromUnix(tonumber(\(old)) or \(refusal))\(end)",
          text: LuaText.quoted("0"), isSpecial: true, note: "; seconds since 1970")
      ]
    }
    let found = DateForms(values)
    let first = (forms: found.forms.isEmpty ? [nil] : found.forms, note: found.note)
    return ([first] + [found.others].compactMap(\.self)).map { forms, note in
      Body(
        body: "return \(old) and (\(DateForms.parsing(old, forms)) or \(refusal))\(end)",
        text: LuaText.quoted(DateForms.example(forms[0])), isSpecial: true, note: note)
    }
  }
}

extension AttributeType {
  /// Whether a script has its values as numbers of Lua, and they are not moments.
  var isLuaNumber: Bool { isInteger || self == .double || self == .float }

  /// How far a number may be from what is meant, as a part of it: 0.1 is none of binary fractions.
  fileprivate var rounding: Double { self == .float ? 6e-8 : 1e-13 }

  /// Whether a hundred of a number are a whole number.
  fileprivate func isHundredths(_ number: Double) -> Bool {
    let cents = number * 100
    return abs(cents - cents.rounded()) <= rounding * abs(cents)
  }

  /// A text that can be converted to the type, as Lua writes it.
  var convertibleText: String {
    switch self {
    case .uuid: LuaText.quoted("00000000-0000-4000-8000-000000000000")
    case .uri: LuaText.quoted("https://example.com")
    default: LuaText.quoted("0")
    }
  }
}

extension AttributeValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The number that it is, or that its text means.
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case .string(let text), .decimal(let text):
      let value = Conversion(from: .string, to: .double)?.convert(.string(text))
      return if case .real(let number) = value { number } else { nil }
    default: return nil
    }
  }

  /// Whether it is a moment of 1990 to 2060 in seconds since 1970.
  fileprivate var isUnixTime: Bool { number.map { 631_152_000..<2_840_140_800 ~= $0 } ?? false }
}

extension String {
  /// What it means as an answer to a question; nil for any other text.
  fileprivate var truth: Bool? {
    switch lowercased() {
    case "yes", "y", "true", "t", "1", "on", "x": true
    case "no", "n", "false", "f", "0", "off", "": false
    default: nil
    }
  }

  /// Whether a function makes a value of the type of it.
  fileprivate func isValue(of type: AttributeType) -> Bool {
    switch type {
    case .boolean: truth != nil
    case .date: AttributeValue.string(self).isUnixTime
    default: false
    }
  }

  /// Whether an attribute of this name may hold what one of another type does.
  fileprivate func hints(at place: Attribute) -> Bool {
    let name = lowercased()
    func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
    let isTime = has("date", "time", "when", "day", "year", "birth", "since", "until", "due")
    let isTruth = hasPrefix("is") || hasPrefix("has") || has("flag", "done", "enabled", "active")
    return switch place.type {
    case .date: isTime
    case .boolean: isTruth
    default: !isTime && !isTruth
    }
  }
}

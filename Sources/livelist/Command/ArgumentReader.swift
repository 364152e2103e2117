/// Reads options and their values one by one: `--name value`, `--name=value` and `--name`.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private let topic: HelpTopic
  private var option = ""
  /// The options that have been read.
  private var seen: Set<String> = []
  /// The text after `=`, until it is read.
  private var attachedValue: String?

  init(_ arguments: ArraySlice<String>, topic: HelpTopic) {
    rest = arguments
    self.topic = topic
  }

  /// Reads all options.
  ///
  /// - Parameter options: What is done with each. The reader has its value.
  /// - Returns: What the arguments ask for instead: the help, or the version.
  mutating func read(
    _ options: [String: (inout ArgumentReader) throws -> Void]
  ) throws -> Invocation? {
    while let name = try nextOption() {
      if name == "--help" || name == "-h" { return .help(topic) }
      if name == "--version", topic == .command { return .version }
      guard let take = options[name] else {
        throw ArgumentError(.unknownOption(name), topic: topic)
      }
      try take(&self)
    }
    return nil
  }

  /// The name of the next option, or `nil` at the end.
  ///
  /// The command has no other arguments.
  private mutating func nextOption() throws -> String? {
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("-") else {
      throw ArgumentError(.unexpectedArgument(argument), topic: topic)
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    option = String(parts[0])
    seen.insert(option)
    attachedValue = parts.count == 2 ? String(parts[1]) : nil
    return option
  }

  /// What an option without a value means.
  func flag<Value>(for value: Value) throws -> Value {
    guard attachedValue == nil else { throw ArgumentError(.valueNotTaken(option), topic: topic) }
    return value
  }

  /// The option's value.
  ///
  /// - Parameters:
  ///   - expected: What it has to be.
  ///   - rule: The same for a text that is something else, if it is said in another way.
  ///   - parse: Returns the value that a text means; `nil` if it means none.
  mutating func value<Value>(
    _ expected: String, rule: String? = nil, _ parse: (String) -> Value?
  ) throws -> Value {
    guard let text = attachedValue ?? rest.popFirst() else {
      throw ArgumentError(.missingValue(option: option, expected: expected), topic: topic)
    }
    guard let value = parse(text) else {
      throw ArgumentError(
        .invalidValue(option: option, value: text, expected: rule ?? expected), topic: topic)
    }
    return value
  }

  /// The option's value as one of some values, by their names.
  mutating func choice<Value>(of values: [Value]) throws -> Value {
    let names = values.map { "\($0)" }
    let all = names.joined(separator: ", ")
    return try value(all, rule: "one of " + all) { text in
      names.firstIndex(of: text).map { values[$0] }
    }
  }

  /// The option's value as a time, from a range of seconds.
  mutating func seconds(in range: ClosedRange<Double>) throws -> Duration {
    try value("a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Double(text).flatMap { range.contains($0) ? .seconds($0) : nil }
    }
  }

  /// The option's value as a count, at least 1.
  mutating func count() throws -> Int {
    try value("a whole number from 1") { Int($0).flatMap { $0 >= 1 ? $0 : nil } }
  }

  /// The option's value as addresses with commas between them.
  mutating func addresses() throws -> [String] {
    try value("addresses such as nats://127.0.0.1:4222, with commas between them") { text in
      let addresses = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return addresses.allSatisfy { $0.contains("://") } ? addresses : nil
    }
  }

  /// Refuses two options of which only one can be meant, instead of ignoring one of them.
  func refuse(_ first: String, with second: String) throws {
    guard seen.contains(first), seen.contains(second) else { return }
    throw ArgumentError(.contradiction(first, second), topic: topic)
  }

  /// Refuses an option that has no effect without another one.
  func refuse(_ option: String, without other: String) throws {
    guard seen.contains(option), !seen.contains(other) else { return }
    throw ArgumentError(.pointless(option, without: other), topic: topic)
  }
}

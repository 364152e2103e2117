import Diffable

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

  /// The name of the next option, or `nil` at the end.
  ///
  /// The command has no other arguments.
  mutating func nextOption() throws(ArgumentError) -> String? {
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

  /// Accepts an option without a value.
  func flag() throws(ArgumentError) -> Bool {
    guard attachedValue == nil else { throw ArgumentError(.valueNotTaken(option), topic: topic) }
    return true
  }

  /// The option's value as one of the words of an enumeration.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>()
    throws(ArgumentError) -> Choice
  {
    let words = Choice.allCases.map(\.rawValue)
    let text = try value(expected: words.joined(separator: ", "))
    guard let choice = Choice(rawValue: text) else {
      throw invalid(text, expected: "one of " + words.joined(separator: ", "))
    }
    return choice
  }

  /// The option's value as a number inside a range.
  mutating func number(in range: ClosedRange<Double>) throws(ArgumentError) -> Double {
    let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
    let text = try value(expected: expected)
    guard let number = Double(text), range.contains(number) else {
      throw invalid(text, expected: expected)
    }
    return number
  }

  /// The option's value as a count, at least 1.
  mutating func count() throws(ArgumentError) -> Int {
    let expected = "a whole number from 1"
    let text = try value(expected: expected)
    guard let count = Int(text), count >= 1 else { throw invalid(text, expected: expected) }
    return count
  }

  /// The option's value as the text of an epoch.
  mutating func epoch() throws(ArgumentError) -> Epoch {
    let expected = "22 letters, digits, “-” and “_”"
    let text = try value(expected: expected)
    guard let epoch = Epoch(text) else { throw invalid(text, expected: expected) }
    return epoch
  }

  /// The option's value as the name of a list.
  mutating func name() throws(ArgumentError) -> String {
    let expected = "a name of letters, digits, “-” and “_”"
    let text = try value(expected: expected)
    guard text.wholeMatch(of: /[A-Za-z0-9_-]{1,60}/) != nil else {
      throw invalid(text, expected: expected)
    }
    return text
  }

  /// The option's value as addresses with commas between them.
  mutating func addresses() throws(ArgumentError) -> [String] {
    let expected = "addresses such as nats://127.0.0.1:4222, with commas between them"
    let text = try value(expected: expected)
    let addresses = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard addresses.allSatisfy({ $0.contains("://") }) else {
      throw invalid(text, expected: expected)
    }
    return addresses
  }

  /// The option's value as the address of the server of a board.
  mutating func boardServer() throws(ArgumentError) -> BoardServer {
    let expected = "an address such as http://127.0.0.1:8080/?ticket=…"
    let text = try value(expected: expected)
    guard let server = BoardServer(text) else { throw invalid(text, expected: expected) }
    return server
  }

  /// The option's value as the path of a file.
  mutating func path() throws(ArgumentError) -> String {
    let expected = "the path of a file"
    let text = try value(expected: expected)
    guard !text.isEmpty else { throw invalid(text, expected: expected) }
    return text
  }

  /// Refuses two options of which only one can be meant, instead of ignoring one of them.
  func refuse(_ first: String, with second: String) throws(ArgumentError) {
    guard seen.contains(first), seen.contains(second) else { return }
    throw ArgumentError(.contradiction(first, second), topic: topic)
  }

  /// Refuses an option that has no effect without another one.
  func refuse(_ option: String, without other: String) throws(ArgumentError) {
    guard seen.contains(option), !seen.contains(other) else { return }
    throw ArgumentError(.pointless(option, without: other), topic: topic)
  }

  func unknownOption() -> ArgumentError {
    ArgumentError(.unknownOption(option), topic: topic)
  }

  private mutating func value(expected: String) throws(ArgumentError) -> String {
    guard let value = attachedValue ?? rest.popFirst() else {
      throw ArgumentError(.missingValue(option: option, expected: expected), topic: topic)
    }
    return value
  }

  private func invalid(_ value: String, expected: String) -> ArgumentError {
    ArgumentError(
      .invalidValue(option: option, value: value, expected: expected), topic: topic)
  }
}

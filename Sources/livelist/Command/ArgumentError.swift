/// An error in the arguments, with a hint to the help.
struct ArgumentError: Error, Equatable {
  enum Fault: Equatable {
    case unknownCommand(String)
    case unknownOption(String)
    case unexpectedArgument(String)
    case missingValue(option: String, expected: String)
    case invalidValue(option: String, value: String, expected: String)
    case valueNotTaken(String)
    /// Two options of which only one can be meant.
    case contradiction(String, String)
    /// An option that has no effect without another one.
    case pointless(String, without: String)
  }

  let fault: Fault
  let topic: HelpTopic

  init(_ fault: Fault, topic: HelpTopic) {
    self.fault = fault
    self.topic = topic
  }

  /// The usage line, and how to read more.
  var hint: String {
    "usage: \(topic.usage)\nTry “\(topic.helpCommand)”."
  }
}

extension ArgumentError: CustomStringConvertible {
  var description: String {
    switch fault {
    case .unknownCommand(let name):
      "there is no subcommand “\(name)”; the subcommands are \(HelpTopic.subcommands)"
    case .unknownOption(let option):
      "there is no option “\(option)”"
    case .unexpectedArgument(let argument):
      "“\(argument)” is unexpected"
    case .missingValue(let option, let expected):
      "\(option) needs a value: \(expected)"
    case .invalidValue(let option, let value, let expected):
      "“\(value)” is not a value for \(option), which needs \(expected)"
    case .valueNotTaken(let option):
      "\(option) takes no value"
    case .contradiction(let first, let second):
      "\(first) and \(second) cannot both be followed; leave one of them out"
    case .pointless(let option, let other):
      "\(option) has no effect without \(other)"
    }
  }
}

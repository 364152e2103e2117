/// An error in the arguments, with a hint to the help.
struct ArgumentError: Error, Equatable {
  enum Fault: Equatable {
    case unknownCommand(String)
    case unknownOption(String)
    case unexpectedArgument(String)
    case missingValue(option: String, expected: String)
    case invalidValue(option: String, value: String, expected: String)
    case valueNotTaken(String)
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
    }
  }
}

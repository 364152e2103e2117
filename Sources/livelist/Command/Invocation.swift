import Diffable

/// The parsed arguments.
enum Invocation: Equatable {
  case processes(ProcessesOptions)
  case gallery(WritingOptions)
  case chat(WritingOptions)
  case board(BoardOptions)
  case stream(StreamOptions)
  /// The list that results from deltas, with a maximum number of lines.
  case follow(rows: Int)
  case cluster(ClusterOptions)
  case help(HelpTopic)
  case version

  /// Parses the arguments, without the name of the program.
  ///
  /// The first argument that is not an option is the subcommand; without one it is `processes`.
  init(arguments: [String]) throws {
    guard let first = arguments.first, !first.hasPrefix("-") else {
      self = try Invocation(options: arguments[...], topic: .command)
      return
    }
    let rest = arguments.dropFirst()
    if first == "help" {
      self = try Invocation.help(rest)
    } else if let topic = HelpTopic(rawValue: first), topic != .command {
      self = try Invocation(options: rest, topic: topic)
    } else {
      throw ArgumentError(.unknownCommand(first), topic: .command)
    }
  }

  /// Parses the options of a subcommand.
  private init(options arguments: ArraySlice<String>, topic: HelpTopic) throws {
    var reader = ArgumentReader(arguments, topic: topic)
    self =
      switch topic {
      case .command, .processes: try .processes(from: &reader)
      case .gallery: try .writing(every: .seconds(1), from: &reader, Invocation.gallery)
      case .chat: try .writing(every: .seconds(2), from: &reader, Invocation.chat)
      case .board: try .board(from: &reader)
      case .stream: try .stream(from: &reader)
      case .follow: try .follow(from: &reader)
      case .cluster: try .cluster(from: &reader)
      }
  }

  private static func processes(from reader: inout ArgumentReader) throws -> Invocation {
    var options = ProcessesOptions()
    let other = try reader.read([
      "--sort": { options.sort = try $0.choice(of: ProcessOrder.allCases) },
      "--flat": { options.grouping = try $0.flag(for: .flat) },
      "--tree": { options.grouping = try $0.flag(for: .tree) },
      "--interval": { options.interval = try $0.seconds(in: ProcessesOptions.intervals) },
      "--share": {
        options.name = try $0.value("a name of letters, digits, “-” and “_”") { text in
          text.wholeMatch(of: /[A-Za-z0-9_-]{1,60}/).map { _ in text }
        }
      },
      "--nats": { options.address.urls = try $0.addresses() },
      "--frames": { options.frames = try $0.count() },
    ])
    if let other { return other }
    try reader.refuse("--nats", without: "--share")
    return .processes(options)
  }

  private static func writing(
    every interval: Duration, from reader: inout ArgumentReader,
    _ invocation: (WritingOptions) -> Invocation
  ) throws -> Invocation {
    var options = WritingOptions(interval: interval)
    return try reader.read([
      "--interval": { options.interval = try $0.seconds(in: WritingOptions.intervals) },
      "--frames": { options.frames = try $0.count() },
    ]) ?? invocation(options)
  }

  private static func board(from reader: inout ArgumentReader) throws -> Invocation {
    var options = BoardOptions()
    let other = try reader.read([
      "--server": {
        let server = try $0.value("an address such as http://127.0.0.1:8080/?ticket=…") {
          BoardServer($0)
        }
        options.place = .server(server)
      },
      "--file": {
        options.place = .file(try $0.value("the path of a file") { $0.isEmpty ? nil : $0 })
      },
      "--frames": { options.frames = try $0.count() },
    ])
    if let other { return other }
    try reader.refuse("--file", with: "--server")
    return .board(options)
  }

  private static func stream(from reader: inout ArgumentReader) throws -> Invocation {
    var options = StreamOptions()
    let other = try reader.read([
      "--stages": { options.stages = try $0.choice(of: StreamOptions.profiles) },
      "--epoch": {
        options.epoch = try $0.value("22 letters, digits, “-” and “_”") { Epoch($0) }
      },
    ])
    if let other { return other }
    // Stages have no tokens, which would name the epoch.
    try reader.refuse("--epoch", with: "--stages")
    return .stream(options)
  }

  private static func follow(from reader: inout ArgumentReader) throws -> Invocation {
    var rows = 40
    return try reader.read(["--rows": { rows = try $0.count() }]) ?? .follow(rows: rows)
  }

  private static func cluster(from reader: inout ArgumentReader) throws -> Invocation {
    var options = ClusterOptions()
    return try reader.read([
      "--sort": { options.sort = try $0.choice(of: ProcessOrder.allCases) },
      "--nats": { options.address.urls = try $0.addresses() },
      "--frames": { options.frames = try $0.count() },
    ]) ?? .cluster(options)
  }

  private static func help(_ arguments: ArraySlice<String>) throws -> Invocation {
    guard let name = arguments.first else { return .help(.command) }
    guard let topic = HelpTopic(rawValue: name) else {
      throw ArgumentError(.unknownCommand(name), topic: .command)
    }
    if let extra = arguments.dropFirst().first {
      throw ArgumentError(.unexpectedArgument(extra), topic: .command)
    }
    return .help(topic)
  }
}

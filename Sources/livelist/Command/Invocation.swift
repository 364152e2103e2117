/// The parsed arguments.
enum Invocation: Equatable {
  case processes(ProcessesOptions)
  case gallery(GalleryOptions)
  case chat(ChatOptions)
  case board(BoardOptions)
  case stream(StreamOptions)
  case follow(FollowOptions)
  case cluster(ClusterOptions)
  case help(HelpTopic)
  case version

  /// Parses the arguments, without the name of the program.
  ///
  /// The first argument that is not an option is the subcommand; without one it is `processes`.
  init(arguments: [String]) throws(ArgumentError) {
    guard let first = arguments.first, !first.hasPrefix("-") else {
      self = try Invocation.processes(arguments[...], topic: .command)
      return
    }
    let rest = arguments.dropFirst()
    switch first {
    case "processes": self = try Invocation.processes(rest, topic: .processes)
    case "gallery": self = try Invocation.gallery(rest)
    case "chat": self = try Invocation.chat(rest)
    case "board": self = try Invocation.board(rest)
    case "stream": self = try Invocation.stream(rest)
    case "follow": self = try Invocation.follow(rest)
    case "cluster": self = try Invocation.cluster(rest)
    case "help": self = try Invocation.help(rest)
    default: throw ArgumentError(.unknownCommand(first), topic: .command)
    }
  }

  private static func processes(
    _ arguments: ArraySlice<String>, topic: HelpTopic
  ) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: topic)
    var options = ProcessesOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--sort": options.sort = try reader.choice()
      case "--flat": if try reader.flag() { options.grouping = .flat }
      case "--tree": if try reader.flag() { options.grouping = .tree }
      case "--interval":
        options.interval = .seconds(try reader.number(in: ProcessesOptions.intervals))
      case "--share": options.name = try reader.name()
      case "--nats": options.address.urls = try reader.addresses()
      case "--frames": options.frames = try reader.count()
      case "--help", "-h": return .help(topic)
      case "--version" where topic == .command: return .version
      default: throw reader.unknownOption()
      }
    }
    try reader.refuse("--nats", without: "--share")
    return .processes(options)
  }

  private static func gallery(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: .gallery)
    var options = GalleryOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--interval":
        options.interval = .seconds(try reader.number(in: GalleryOptions.intervals))
      case "--frames": options.frames = try reader.count()
      case "--help", "-h": return .help(.gallery)
      default: throw reader.unknownOption()
      }
    }
    return .gallery(options)
  }

  private static func chat(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: .chat)
    var options = ChatOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--interval": options.interval = .seconds(try reader.number(in: ChatOptions.intervals))
      case "--frames": options.frames = try reader.count()
      case "--help", "-h": return .help(.chat)
      default: throw reader.unknownOption()
      }
    }
    return .chat(options)
  }

  private static func board(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: .board)
    var options = BoardOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--server": options.place = .server(try reader.boardServer())
      case "--file": options.place = .file(try reader.path())
      case "--frames": options.frames = try reader.count()
      case "--help", "-h": return .help(.board)
      default: throw reader.unknownOption()
      }
    }
    try reader.refuse("--file", with: "--server")
    return .board(options)
  }

  private static func stream(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: .stream)
    var options = StreamOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--stages": options.stages = try reader.choice()
      case "--epoch": options.epoch = try reader.epoch()
      case "--help", "-h": return .help(.stream)
      default: throw reader.unknownOption()
      }
    }
    // Stages have no tokens, which would name the epoch.
    try reader.refuse("--epoch", with: "--stages")
    return .stream(options)
  }

  private static func follow(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: .follow)
    var options = FollowOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--rows": options.rows = try reader.count()
      case "--help", "-h": return .help(.follow)
      default: throw reader.unknownOption()
      }
    }
    return .follow(options)
  }

  private static func cluster(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    var reader = ArgumentReader(arguments, topic: .cluster)
    var options = ClusterOptions()
    while let option = try reader.nextOption() {
      switch option {
      case "--sort": options.sort = try reader.choice()
      case "--nats": options.address.urls = try reader.addresses()
      case "--frames": options.frames = try reader.count()
      case "--help", "-h": return .help(.cluster)
      default: throw reader.unknownOption()
      }
    }
    return .cluster(options)
  }

  private static func help(_ arguments: ArraySlice<String>) throws(ArgumentError) -> Invocation {
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

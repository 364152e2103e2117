import Diffable
import Testing

@testable import livelist

@Suite("Arguments") struct InvocationTests {
  @Test(
    "say what to do",
    arguments: [
      ([], Invocation.processes(ProcessesOptions())),
      (["processes"], .processes(ProcessesOptions())),
      (["--flat"], .processes(ProcessesOptions(grouping: .flat))),
      (["--flat", "--tree"], .processes(ProcessesOptions(grouping: .tree))),
      (
        ["processes", "--sort", "memory", "--interval=0.5", "--frames", "3"],
        .processes(ProcessesOptions(sort: .memory, interval: .milliseconds(500), frames: 3))
      ),
      (["--sort=cpu", "--sort=pid"], .processes(ProcessesOptions(sort: .pid))),
      (["gallery"], .gallery(WritingOptions(interval: .seconds(1)))),
      (
        ["gallery", "--interval", "0.05", "--frames=2"],
        .gallery(WritingOptions(interval: .milliseconds(50), frames: 2))
      ),
      (["gallery", "--help"], .help(.gallery)),
      (["chat"], .chat(WritingOptions(interval: .seconds(2)))),
      (
        ["chat", "--interval=0.5", "--frames", "4"],
        .chat(WritingOptions(interval: .milliseconds(500), frames: 4))
      ),
      (["board", "-h"], .help(.board)),
      (["board"], .board(BoardOptions())),
      (["board", "--file", "a b"], .board(BoardOptions(place: .file("a b")))),
      (["stream"], .stream(StreamOptions())),
      (["stream", "--stages", "tableView"], .stream(StreamOptions(stages: .tableView))),
      (
        ["stream", "--epoch", "AAAAAAAAAAAAAAAAAAAAAA"],
        .stream(StreamOptions(epoch: Epoch("AAAAAAAAAAAAAAAAAAAAAA")))
      ),
      (["follow"], .follow(rows: 40)),
      (["follow", "--rows=7"], .follow(rows: 7)),
      (["follow", "-h"], .help(.follow)),
      (["cluster"], .cluster(ClusterOptions())),
      (
        ["cluster", "--nats", "nats://a:1,tls://b:2", "--sort=pid"],
        .cluster(
          ClusterOptions(address: ClusterAddress(urls: ["nats://a:1", "tls://b:2"]), sort: .pid))
      ),
      (["--share", "this-machine"], .processes(ProcessesOptions(name: "this-machine"))),
      (["--help"], .help(.command)),
      (["-h"], .help(.command)),
      (["help"], .help(.command)),
      (["help", "stream"], .help(.stream)),
      (["stream", "--help"], .help(.stream)),
      (["processes", "-h"], .help(.processes)),
      (["--version"], .version),
    ])
  func meaning(_ arguments: [String], _ expected: Invocation) throws {
    #expect(try Invocation(arguments: arguments) == expected)
  }

  private static func noAddresses(_ value: String) -> ArgumentError {
    let expected = "addresses such as nats://127.0.0.1:4222, with commas between them"
    return ArgumentError(
      .invalidValue(option: "--nats", value: value, expected: expected), topic: .cluster)
  }

  @Test(
    "that are wrong say what is wrong with which of them",
    arguments: [
      (["nonsense"], ArgumentError(.unknownCommand("nonsense"), topic: .command)),
      (["--nonsense"], ArgumentError(.unknownOption("--nonsense"), topic: .command)),
      (["stream", "--flat"], ArgumentError(.unknownOption("--flat"), topic: .stream)),
      (["processes", "--version"], ArgumentError(.unknownOption("--version"), topic: .processes)),
      (["processes", "extra"], ArgumentError(.unexpectedArgument("extra"), topic: .processes)),
      (["help", "nonsense"], ArgumentError(.unknownCommand("nonsense"), topic: .command)),
      (["help", "stream", "extra"], ArgumentError(.unexpectedArgument("extra"), topic: .command)),
      (["follow", "--stages"], ArgumentError(.unknownOption("--stages"), topic: .follow)),
      (["follow", "file"], ArgumentError(.unexpectedArgument("file"), topic: .follow)),
      (
        ["--share", "a b"],
        ArgumentError(
          .invalidValue(
            option: "--share", value: "a b", expected: "a name of letters, digits, “-” and “_”"),
          topic: .command)
      ),
      (["cluster", "--share"], ArgumentError(.unknownOption("--share"), topic: .cluster)),
      (
        ["board", "--file="],
        ArgumentError(
          .invalidValue(option: "--file", value: "", expected: "the path of a file"), topic: .board)
      ),
      (
        ["board", "--server", "localhost"],
        ArgumentError(
          .invalidValue(
            option: "--server", value: "localhost",
            expected: "an address such as http://127.0.0.1:8080/?ticket=…"), topic: .board)
      ),
      (
        ["board", "--file", "x", "--server", "http://127.0.0.1:8080/?ticket=a"],
        ArgumentError(.contradiction("--file", "--server"), topic: .board)
      ),
      (
        ["board", "--server=http://127.0.0.1:8080/?ticket=a", "--file=x"],
        ArgumentError(.contradiction("--file", "--server"), topic: .board)
      ),
      (
        ["stream", "--stages=tableView", "--epoch", "AAAAAAAAAAAAAAAAAAAAAA"],
        ArgumentError(.contradiction("--epoch", "--stages"), topic: .stream)
      ),
      (
        ["processes", "--nats", "nats://a:1"],
        ArgumentError(.pointless("--nats", without: "--share"), topic: .processes)
      ),
      (["cluster", "--nats", ","], Self.noAddresses(",")),
      (["cluster", "--nats", "nats://a:1,"], Self.noAddresses("nats://a:1,")),
      (["--flat=yes"], ArgumentError(.valueNotTaken("--flat"), topic: .command)),
      (
        ["--sort"],
        ArgumentError(
          .missingValue(option: "--sort", expected: "cpu, memory, pid"), topic: .command)
      ),
      (
        ["--sort", "age"],
        ArgumentError(
          .invalidValue(option: "--sort", value: "age", expected: "one of cpu, memory, pid"),
          topic: .command)
      ),
      (
        ["--sort="],
        ArgumentError(
          .invalidValue(option: "--sort", value: "", expected: "one of cpu, memory, pid"),
          topic: .command)
      ),
    ])
  func mistake(_ arguments: [String], _ expected: ArgumentError) {
    #expect(throws: expected) { try Invocation(arguments: arguments) }
  }

  @Test(
    "Numbers outside their range are refused",
    arguments: [
      ["--frames", "0"], ["--frames", "-1"], ["--frames", "1.5"], ["--frames", "x"],
      ["--frames", "99999999999999999999"], ["--interval", "0"], ["--interval", "-1"],
      ["--interval", "nan"], ["--interval", "inf"], ["--interval", "1s"], ["--interval", ""],
    ])
  func range(_ arguments: [String]) {
    let error = #expect(throws: ArgumentError.self) { try Invocation(arguments: arguments) }
    guard case .invalidValue(arguments[0], arguments[1], _) = error?.fault else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A mistake is explained with the usage of its subcommand")
  func hint() {
    let error = ArgumentError(
      .invalidValue(option: "--stages", value: "x", expected: "one of a, b"), topic: .stream)
    #expect("\(error)" == "“x” is not a value for --stages, which needs one of a, b")
    #expect(
      error.hint == """
        usage: livelist stream [--stages collectionView|tableView|movesApart|sequential | --epoch EPOCH]
        Try “livelist stream --help”.
        """)
  }

  @Test("Help fits 100 columns and names every option", arguments: HelpTopic.allCases)
  func help(_ topic: HelpTopic) {
    #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let options: [String] =
      switch topic {
      case .command:
        [
          "--help", "--version", "processes", "gallery", "chat", "board", "stream", "follow",
          "cluster",
        ]
      case .processes:
        ["--sort", "--flat", "--tree", "--interval", "--share", "--nats", "--frames", "--help"]
      case .gallery, .chat: ["--interval", "--frames", "--help"]
      case .board: ["--file", "--server", "--frames", "--help"]
      case .stream: ["--stages", "--epoch", "--help"]
      case .follow: ["--rows", "--help"]
      case .cluster: ["--nats", "--sort", "--frames", "--help"]
      }
    for option in options { #expect(topic.text.contains(option)) }
  }
}

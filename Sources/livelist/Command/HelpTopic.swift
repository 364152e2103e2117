/// A topic of the help: the whole command, or one of its subcommands.
enum HelpTopic: String, CaseIterable {
  case command = "livelist"
  case processes
  case gallery
  case chat
  case board
  case stream
  case follow
  case cluster

  /// The subcommands, in words.
  static let subcommands = "processes, gallery, chat, board, stream, follow and cluster"

  /// The usage in one line.
  var usage: String {
    switch self {
    case .command:
      "livelist [processes | gallery | chat | board | stream | follow | cluster] [options]"
    case .processes:
      """
      livelist processes [--sort cpu|memory|pid] [--flat | --tree] [--interval SECONDS]
                         [--share NAME [--nats URL,…]] [--frames N]
      """
    case .gallery: "livelist gallery [--interval SECONDS] [--frames N]"
    case .chat: "livelist chat [--interval SECONDS] [--frames N]"
    case .board: "livelist board [--file FILE | --server URL] [--frames N]"
    case .stream:
      "livelist stream [--stages collectionView|tableView|movesApart|sequential | --epoch EPOCH]"
    case .follow: "livelist follow [--rows N]"
    case .cluster: "livelist cluster [--nats URL,…] [--sort cpu|memory|pid] [--frames N]"
    }
  }

  /// The command that prints the whole help.
  var helpCommand: String {
    self == .command ? "livelist --help" : "livelist \(rawValue) --help"
  }

  /// The whole help.
  var text: String {
    switch self {
    case .command: HelpTopic.commandText
    case .processes: HelpTopic.processesText
    case .gallery: HelpTopic.galleryText
    case .chat: HelpTopic.chatText
    case .board: HelpTopic.boardText
    case .stream: HelpTopic.streamText
    case .follow: HelpTopic.followText
    case .cluster: HelpTopic.clusterText
    }
  }

  private static let commandText = """
    livelist shows a diffable data source at work.

    USAGE
      livelist [processes] [options]   the machine's processes, live in the terminal
      livelist gallery [options]       banners, a grid and a carousel in one list, with a search
      livelist chat [options]          messages of several lines, older ones loaded as you scroll up
      livelist board [options]         cards in columns, which browsers and terminals change at once
      livelist stream [options]        snapshots as JSON Lines in, what changed as JSON Lines out
      livelist follow [options]        what changed as JSON Lines in, the list out
      livelist cluster [options]       the processes of several machines, in one list

    OPTIONS
      --help, -h    this help; each subcommand has its own, such as “livelist gallery --help”
      --version     the version

    Without a subcommand, livelist runs “processes” and takes its options.
    """

  private static let processesText = """
    The machine's processes, live. Three writers update one data source: one for the processes, one
    for the processor and one for the memory. A derived source sorts, groups and searches, and the
    screen follows that. Inserted (+), moved (↑ ↓) and deleted (-) rows are marked for a moment. Idle
    kernel threads are hidden.

    USAGE
      \(HelpTopic.processes.usage)

    OPTIONS
      --sort cpu|memory|pid   the order of the processes of each user (cpu)
      --flat                  one list instead of a section for each user
      --tree                  a tree: each process below the one that started it; siblings are sorted
                              by what they and all below them use; a folded row shows that sum
      --interval SECONDS      the time between two readings, from 0.1 to 3600 (1)
      --share NAME            let other machines see the list, with “livelist cluster”; the name of
                              this machine: letters, digits, “-” and “_”
      --nats URL,…            servers of NATS for --share (nats://127.0.0.1:4222)
      --frames N              stop after N batches
      --help, -h              this help

    \(KeyHelp.text(of: ProcessView.keyTables))

    When standard output is not a terminal, or TERM is “dumb”, each batch is one line of text.
    NO_COLOR switches colours off.
    """

  private static let galleryText = """
    Banners that page, a grid and a carousel: three types of items in one data source, each with a
    cell of its own. Four writers keep changing it: one adds and removes photographs, one moves
    items, one likes them, and one adds and removes banners and films. A search filters the list
    meanwhile, and no change is lost. Inserted (+), moved (↑ ↓) and deleted (-) items are marked for
    a moment.

    USAGE
      \(HelpTopic.gallery.usage)

    OPTIONS
      --interval SECONDS   the time between two changes of a writer, from 0.05 to 3600 (1)
      --frames N           stop after N batches
      --help, -h           this help

    \(KeyHelp.text(of: GalleryView.keyTables))

    When standard output is not a terminal, or TERM is “dumb”, each batch is one line of text.
    NO_COLOR switches colours off.
    """

  private static let chatText = """
    A chat. Messages are as high as their texts, which are cut into lines of the width of the terminal.
    People ask questions, and answers come word by word into the last message. The list sticks to its
    end, until you scroll up: then it stays where you are, and the last line says how many messages
    came below. Older messages are loaded before the first one when you come near it.

    USAGE
      \(HelpTopic.chat.usage)

    OPTIONS
      --interval SECONDS   the time between two messages, from 0.05 to 3600 (2); a word of an answer
                           takes a twelfth of it
      --frames N           stop after N batches
      --help, -h           this help

    \(KeyHelp.text(of: ChatView.keyTables))

    When standard output is not a terminal, or TERM is “dumb”, each batch is one line of text.
    NO_COLOR switches colours off.
    """

  private static let boardText = """
    A board with cards in columns, which several people change at once, in terminals and browsers.
    It is in a file, which several terminals of this machine may show, or at a server. The server is
    “swift run --package-path Tests/Web web”. Your changes are shown at once, and dim (…) until the
    server has them. While it cannot be reached, a line says so, and changes wait. If the server
    refuses a change, its reason is shown at the card.

    USAGE
      \(HelpTopic.board.usage)

    OPTIONS
      --file FILE    the file of the board; by default “livelist/board.lists” among the data of your
                     programs
      --server URL   the address that the server has printed, with its ticket
      --frames N     stop after N batches
      --help, -h     this help

    \(KeyHelp.text(of: BoardView.keyTables))

    If changes wait when you quit, they are sent for three more seconds, or until the next key. What
    still waits then may be lost, and the command says how many changes that are.

    Files need SQLite, which is not built in by default: install its library, and use
    “swift run --traits SQLite livelist board”.

    When standard output is not a terminal, or TERM is “dumb”, each batch is one line of text.
    NO_COLOR switches colours off.
    """

  private static let streamText = """
    Reads snapshots from standard input and writes what changed to standard output, one JSON text
    per line. Each output line is flushed before the next input line is read.

    USAGE
      \(HelpTopic.stream.usage)

    INPUT
      {"sections":[{"id":"s","items":["a","b"]}],"reload":["a"],"reconfigure":["b"],
       "reloadSections":["s"]}
      on one line. The marks (reload, reconfigure, reloadSections) may be left out. Blank lines are
      skipped, but counted.

    OUTPUT
      Each line is a delta. The first one is the whole state:
      {"counts":{"items":2,"sections":1},"format":1,"presentation":"reset",
       "sections":[{"id":"s","items":["a","b"]}],"target":"…"}
      Each further line says what changed since the previous line:
      {"base":"…","counts":{"items":2,"sections":1},"difference":{"itemDeletes":[[0,0,1]],
       "itemInserts":[[0,1,2]]},"format":1,"items":["c"],"presentation":"animated","target":"…"}
      “base” and “target” are the tokens of the states before and after. Deletes, reloads and the
      sources of moves are positions in the old state; inserts, reconfigures and the targets of moves
      are positions in the new one. Sections are ranges [first, end], and items are ranges
      [section, first, end]; the end is not part of the range. Moves are {"from":…,"to":…}. “items”
      are the items of “itemInserts”, and “sections” the sections of “sectionInserts” with all their
      items. Empty fields are left out. If nothing has changed, there is no difference, and the
      target equals the base.
      The article “The format of deltas” in the documentation describes every field.

      A line that cannot be read, or is not valid, changes nothing. In its place there is
      {"error":"duplicateItems","identifiers":["a"],"line":7,"message":"…"}. “error” is
      invalidUTF8, invalidJSON, malformedSnapshot, duplicateItems, duplicateSections, unknownItem
      or unknownSection.

    OPTIONS
      --stages PROFILE   write each change as stages that a list view accepts one after another,
                         with the state after each, instead of deltas:
                         {"base":1,"stages":[{"difference":{…},"snapshot":…}],"target":2}; the first
                         line is {"snapshot":…,"target":1}, and base and target count from the start
                         of this process;
                         PROFILE is collectionView, tableView, movesApart or sequential
                         (one operation per stage: a large change makes a long line)
      --epoch EPOCH      the life of the list, which its tokens name: 22 letters, digits, “-” and
                         “_”; by default a new one
      --help, -h         this help

    EXIT STATUS
      0, or 1 if any line was rejected, or 64 if the arguments are wrong
    """

  private static let followText = """
    Reads deltas from standard input, as “livelist stream” writes them, and shows the list after each.

      livelist stream <snapshots.txt | livelist follow

    USAGE
      \(HelpTopic.follow.usage)

    OUTPUT
      A line that says what changed, and the list: “+” is new, “↑” and “↓” have moved, “~” was
      updated. Blank lines are skipped, but counted. A line that is not a delta, or does not fit the
      list, changes nothing; the error goes to standard error.

    OPTIONS
      --rows N       the maximum number of lines of a list (40)
      --help, -h     this help

    EXIT STATUS
      0, or 1 if any line was rejected, or 64 if the arguments are wrong
    """

  private static let clusterText = """
    The processes of several machines in one list, with a section for each machine. Each machine runs
    “livelist processes --share NAME”; its list is kept by servers of NATS JetStream. A machine that
    comes later is shown within a few seconds. A machine that has gone keeps its last list.

    USAGE
      \(HelpTopic.cluster.usage)

    OPTIONS
      --nats URL,…            servers of NATS (nats://127.0.0.1:4222)
      --sort cpu|memory|pid   the order of the processes of each machine (cpu)
      --frames N              stop after N batches
      --help, -h              this help

    The keys are those of “livelist processes”, except the one for idle kernel threads.

    NATS is not built in by default: install its C client, and use “swift run --traits NATS livelist …”.
    """
}

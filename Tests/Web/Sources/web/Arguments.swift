/// What the command is asked to do.
struct Arguments {
  static let help = """
    Serves lists to browsers: the processes of this machine, a gallery, long rows, and a board with cards that
    all pages change.

    Usage: swift run --package-path Tests/Web web [options]

      --port PORT          where to listen (default 8080; 0 lets the system choose)
      --host HOST          the address to listen at, and a name that browsers may ask for
                           (default 127.0.0.1: this machine only)
      --name NAME          another name that browsers may ask for, such as that of a proxy; may be
                           given several times
      --rows COUNT         how many rows the long list has (default 10000)
      --board FILE         where the board is kept; the file is made if there is none. Its secrets
                           are kept beside it, so pages go on after the command was started again
      --interval SECONDS   how long each writer waits between two changes (default 1)
      --connections COUNT  how many connections there may be; more wait (default 256)
      --views COUNT        how many pages may be open; more are refused (default 64)
      --ending SECONDS     how long responses may take to end after a signal (default 5); a second
                           signal ends them at once
      --watch-port PORT    where those who run the server find /health and /metrics, without a ticket
                           (default: nowhere)
      --help               this text

    Only who opens the address that the command prints may read, and write on the board. The connection
    is not encrypted: to let others in, put a proxy with TLS before it. Without a file, the board
    is lost when the command ends.
    """

  var host = "127.0.0.1"
  var names: [String] = []
  var port = 8080
  var rows = 10_000
  var board: String?
  var interval = 1.0
  var ending = 5.0
  var connections = 256
  var views = 64
  var watchPort: Int?
  var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws(ArgumentFault) {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      func value<Value: LosslessStringConvertible>(
        _ isAllowed: (Value) -> Bool
      ) throws(ArgumentFault) -> Value {
        guard let text = rest.next() else { throw ArgumentFault("\(option) needs a value") }
        guard let value = Value(text), isAllowed(value) else {
          throw ArgumentFault("\(option) cannot be “\(text)”")
        }
        return value
      }
      switch option {
      case "--port": port = try value { (0...65_535).contains($0) }
      case "--host": host = try value { !$0.isEmpty }
      case "--name": names.append(try value { !$0.isEmpty })
      case "--rows": rows = try value { (0...1_000_000).contains($0) }
      case "--board": board = try value { (path: String) in !path.isEmpty }
      case "--interval": interval = try value { (0.05...3600).contains($0) }
      case "--ending": ending = try value { (0...3600).contains($0) }
      case "--connections": connections = try value { (1...100_000).contains($0) }
      case "--views": views = try value { (1...100_000).contains($0) }
      case "--watch-port": watchPort = try value { (0...65_535).contains($0) }
      case "--help", "-h": wantsHelp = true
      default: throw ArgumentFault("there is no option “\(option)”")
      }
    }
  }
}

/// What is wrong with the arguments.
struct ArgumentFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

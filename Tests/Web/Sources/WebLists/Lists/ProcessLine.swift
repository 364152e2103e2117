import Diffable
import DiffableQueries
import DiffableTerminal

/// What a page shows of a process.
struct ProcessLine: Identifiable, Codable, Equatable, Sendable {
  let id: ProcessID
  let number: Int32
  let command: String
  /// In thousandths of a core.
  let processor: Int
  /// In bytes.
  let memory: Int

  init(_ record: ProcessRecord) {
    id = record.id
    number = record.id.number
    command = record.listed.command
    processor = record.permille
    memory = record.memory
  }
}

extension ServedList {
  /// The processes of this machine, in sections by user, what is busy first.
  static func processes(_ source: ProcessSource) -> ServedList {
    ServedList("processes", source) { search, processes in
      var arrangement = ProcessArrangement(order: .cpu, grouping: .users)
      arrangement.search = search
      return arrangement.query(processes).map(id: 0, ProcessLine.init)
    }
  }
}

// On the way identifiers are text, which any language can compare.

extension ProcessID: Codable {
  init(from decoder: any Decoder) throws {
    let parts = try decoder.singleValueContainer().decode(String.self).split(separator: "-")
    guard parts.count == 2, let number = Int32(parts[0]), let start = UInt64(parts[1]) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "This is no process."))
    }
    self.init(number: number, start: start)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(number)-\(start)")
  }
}

extension ProcessGroup: Codable {
  init(from decoder: any Decoder) throws {
    let user = try decoder.singleValueContainer().decode(String.self)
    self = user.isEmpty ? .everybody : .user(user)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .everybody: try container.encode("")
    case .user(let name), .machine(let name): try container.encode(name)
    }
  }
}

extension ProcessSummary: Codable {
  private enum Key: CodingKey {
    case processes
    case processor
    case memory
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      sums: ProcessSums(
        processes: try container.decode(Int.self, forKey: .processes),
        permille: try container.decode(Int.self, forKey: .processor),
        memory: try container.decode(Int.self, forKey: .memory)))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(sums.processes, forKey: .processes)
    try container.encode(sums.permille, forKey: .processor)
    try container.encode(sums.memory, forKey: .memory)
  }
}

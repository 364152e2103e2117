// Identifiers are single texts: they are in every delta.

extension ProcessID: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let parts = try container.decode(String.self)
      .split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int32(parts[0]), let start = UInt64(parts[1]) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not that of a process.")
    }
    self.init(number: number, start: start, machine: String(parts[2]))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(number):\(start):\(machine)")
  }
}

extension ProcessGroup: Codable {
  init(from decoder: any Decoder) throws {
    self = .machine(try decoder.singleValueContainer().decode(String.self))
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
    case sums
    case users
    case memory
    case lastWord
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      sums: try container.decode(ProcessSums.self, forKey: .sums),
      users: try container.decode(Int.self, forKey: .users),
      machineMemory: try container.decodeIfPresent(MachineMemory.self, forKey: .memory),
      lastWord: try container.decodeIfPresent(Int.self, forKey: .lastWord))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(sums, forKey: .sums)
    try container.encode(users, forKey: .users)
    try container.encodeIfPresent(machineMemory, forKey: .memory)
    try container.encodeIfPresent(lastWord, forKey: .lastWord)
  }
}

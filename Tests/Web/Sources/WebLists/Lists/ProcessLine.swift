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

import Diffable
import DiffableQueries
import DiffableTerminal

/// What processes are sorted by.
enum ProcessOrder: CaseIterable, Sendable {
  case cpu
  case memory
  case pid
}

/// How processes are shown: the query of the list.
struct ProcessArrangement: Equatable, Sendable {
  /// The sections of the list.
  enum Grouping: String, CaseIterable, Sendable {
    /// The users, by name.
    case users
    /// One for all processes.
    case flat
    /// One for all processes, as a tree: each is below the process that started it.
    case tree
    /// The machines, by name.
    case machines
  }

  var order: ProcessOrder
  let grouping: Grouping
  var showsIdleKernelThreads = false
  /// The search; its results are shown as a flat list, even for a tree.
  var search = SearchQuery("")

  init(order: ProcessOrder, grouping: Grouping) {
    self.order = order
    self.grouping = grouping
  }

  private var isTree: Bool { grouping == .tree && search.isEmpty }

  /// The query for the list.
  ///
  /// It sorts first: the order survives changes of the filters, which change with each key of a
  /// search.
  func query(
    _ processes: ListQuery<ProcessBatch, ProcessBatch>
  ) -> ListQuery<ProcessBatch, ProcessBatch> {
    let rows =
      processes
      .sorted(id: SortID(order: order, isTree: isTree), by: areInOrder)
      .filter(id: search) { [search] in search.matches($0.text) }
      .filter(id: showsIdleKernelThreads) { [showsIdleKernelThreads] in
        showsIdleKernelThreads || !$0.isIdleKernelThread
      }
    switch grouping {
    case .users:
      return
        rows
        .grouped(id: 0, by: { ProcessGroup.user($0.listed.user) }, order: { $0 < $1 })
        .sectionModels(id: 0, .sum(of: \.own)) { _, _, sums in ProcessSummary(sums: sums) }
    case .machines:
      return
        rows
        .grouped(id: 0, by: { ProcessGroup.machine($0.id.machine) }, order: { $0 < $1 })
        .sectionModels(id: 0, .sum(of: \.own)) { _, _, sums in ProcessSummary(sums: sums) }
    case .tree where isTree: return rows.outlined(id: 0, by: \.parent)
    case .flat, .tree: return rows
    }
  }

  private struct SortID: Hashable {
    let order: ProcessOrder
    let isTree: Bool
  }

  /// The largest first; ties are broken by number, so that unchanged rows do not move.
  ///
  /// In a tree, a process counts with its descendants. So a busy process deep in the tree moves up
  /// with its ancestors, and folding moves no row.
  private var areInOrder: @Sendable (ProcessRecord, ProcessRecord) -> Bool {
    { [order, isTree] left, right in
      let (own, other) = isTree ? (left.total, right.total) : (left.own, right.own)
      return switch order {
      case .cpu: (other.permille, left.id) < (own.permille, right.id)
      case .memory: (other.memory, left.id) < (own.memory, right.id)
      case .pid: left.id < right.id
      }
    }
  }
}

extension ProcessRecord {
  /// The text that a search looks at.
  fileprivate var text: String { "\(id.number) \(listed.user) \(listed.command)" }
}

import Diffable
import DiffableTerminal

/// How processes are shown: the query of the list.
struct ProcessArrangement: Equatable, Sendable {
  /// What the sections of the list are.
  enum Grouping: String, CaseIterable, Sendable {
    /// The users, by name.
    case users
    /// One for all processes.
    case flat
    /// One for all processes, as a tree: each stands below the process that started it.
    case tree
  }

  var order: ProcessOrder
  let grouping: Grouping
  var showsIdleKernelThreads = false
  /// What is searched for; it is shown as a list, also where there is a tree.
  var search = SearchQuery("")

  init(order: ProcessOrder, grouping: Grouping) {
    self.order = order
    self.grouping = grouping
  }

  private var isTree: Bool { grouping == .tree && search.isEmpty }

  /// What to show.
  ///
  /// The order comes first: it outlives the filters, which change with each key of a search.
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
        .sectionModels(id: 0, summing: \.own) { _, _, sums in ProcessSummary(sums: sums) }
    case .tree where isTree: return rows.outlined(id: 0, by: \.parent)
    case .flat, .tree: return rows
    }
  }

  private struct SortID: Hashable {
    let order: ProcessOrder
    let isTree: Bool
  }

  /// The largest first; equals by number, so that rows without news keep still.
  ///
  /// In a tree what counts is what a process and all below it use. So what is busy deep below comes up,
  /// and folding moves no row.
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
  /// What a search looks at.
  fileprivate var text: String { "\(id.number) \(listed.user) \(listed.command)" }
}

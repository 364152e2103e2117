import Diffable

extension ListUpdate {
  /// Q1: one move, or one run of neighbours, or one splice.
  func steps() -> [ListViolation] {
    let steps = Set(operations.map(Step.init))
    // Neighbours are counted by distinct calls: repeated calls violate S7.
    let runs = Dictionary(grouping: Set(operations), by: Step.init)
    let isOneStep =
      switch steps.count {
      case 0: true
      case 1:
        runs.allSatisfy { $0.value.areNeighbours && ($0.key.kind != .move || $0.value.count == 1) }
      case 2: runs.values.allSatisfy(\.areNeighbours) && runs.isSplice
      default: false
      }
    guard !isOneStep else { return [] }
    return [
      ListViolation(.q1, "The view takes one operation or splice at a time, not \(operations).")
    ]
  }
}

/// What adjacent operations have in common: they do the same in the same list.
private struct Step: Hashable {
  let kind: ListOperation.Kind
  /// The section whose items change; `nil` for changes of sections.
  let section: Int?

  init(_ operation: ListOperation) {
    (kind, section) = (operation.kind, operation.sectionOfItem)
  }
}

extension [ListOperation] {
  private var indices: [Int] {
    compactMap { operation in
      switch operation.oldPosition ?? operation.newPosition {
      case .section(let index): index
      case .item(let path): path.item
      case .none: nil
      }
    }
    .sorted()
  }

  fileprivate var firstIndex: Int? { indices.first }

  fileprivate var areNeighbours: Bool {
    zip(indices, indices.dropFirst()).allSatisfy { $0 + 1 == $1 }
  }
}

extension [Step: [ListOperation]] {
  /// Whether elements are replaced in one place.
  fileprivate var isSplice: Bool {
    guard let deletes = first(where: { $0.key.kind == .delete }),
      let inserts = first(where: { $0.key.kind == .insert })
    else { return false }
    return deletes.key.section == inserts.key.section
      && deletes.value.firstIndex == inserts.value.firstIndex
  }
}

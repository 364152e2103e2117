import Diffable

/// A step that reads all rows of the trees of its input, hidden ones too.
///
/// A tree stores its rows in depth-first order, each with its level. So the rows that change are found
/// by comparing leaves that are not shared, and what is below a row follows it.
class TreeStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Input = Snapshot<SectionID, ItemID>
  typealias Live = LiveState<SectionID, ItemID>
  typealias Tree = Outline<ItemID>

  /// The type of what the input has for a row.
  let element: any Any.Type
  var isFresh = true

  init(element: any Any.Type) { self.element = element }

  var alarms: [Alarm] { [] }
  var ranks: RowRanks<ItemID>? { nil }

  /// How the input has changed; the step is computed from scratch if that is not known.
  func origin(of input: StepInput<SectionID, ItemID>) -> StepInput<SectionID, ItemID>.Origin {
    let kernels = input.snapshot.kernels
    precondition((kernels.models ?? kernels.items).type == element, "elements of another type")
    defer { isFresh = false }
    return isFresh ? .unknown : input.origin
  }

  func edit(
    _ live: inout Live, _ body: (inout Input, inout Live.Given) -> Void
  ) throws(SnapshotError) -> Live.Commit? {
    do {
      return try live.update(duplicates: .reject, body)
    } catch let error as SnapshotError {
      throw error
    } catch DataSourceError.invalidSnapshot(let error) {
      throw error
    } catch {
      preconditionFailure("a step made a change that failed: \(error)")
    }
  }

  /// The row at an address.
  func row(_ found: FoundRow) -> Tree.Row {
    found.row.assumingMemoryBound(to: Tree.Row.self).pointee
  }

  /// The row at a position.
  func foundRow(at position: Int, in tree: Tree) -> FoundRow {
    guard let place = tree.rows.base.leaf(atPosition: position) else {
      preconditionFailure("no row \(position) in a tree")
    }
    let offset = position - place.base
    return FoundRow(row: place.leaf.span.address(offset), element: place.leaf.shown(at: offset))
  }
}

/// A row of a tree, and what the list shows for it, by their addresses.
struct FoundRow {
  let row: UnsafeRawPointer
  let element: UnsafeRawPointer
}

public import Diffable

/// A script of edits that a ``SnapshotGenerator`` has made up, which prints as Swift.
///
/// If it makes a test fail, paste what it prints into a test of its own.
public struct EditScript<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable,
  CustomStringConvertible
{
  private let edits: [SnapshotEdit<SectionID, ItemID>]

  /// Creates a script of some edits.
  package init(_ edits: [SnapshotEdit<SectionID, ItemID>]) { self.edits = edits }

  /// Makes all edits of a snapshot, in order.
  ///
  /// One that the snapshot refuses changes nothing, and those after it are made.
  public func apply(to snapshot: inout Snapshot<SectionID, ItemID>) {
    for edit in edits { try? edit.apply(to: &snapshot) }
  }

  /// The edits as lines of Swift, such as `try snapshot.moveItem("a", beforeItem: "b")`.
  ///
  /// They compile if the debug descriptions of the identifiers are literals for them, as those of
  /// numbers and strings are.
  public var description: String { edits.map(\.description).joined(separator: "\n") }
}

extension SnapshotGenerator {
  /// Makes up edits of a snapshot, each of what the edits before it have left.
  ///
  /// One in eight is unusual: it names something that is not there, is empty, or inserts what is
  /// there already.
  ///
  /// - Parameters:
  ///   - snapshot: Where the first edit begins; its identifiers are as for ``changing(_:changesOutlines:)``.
  ///   - count: How many edits to make up.
  public mutating func script(
    editing snapshot: Snapshot<SectionID, ItemID>, count: Int
  ) -> EditScript<SectionID, ItemID> {
    var (snapshot, edits) = (snapshot, [SnapshotEdit<SectionID, ItemID>]())
    for _ in 0..<max(0, count) {
      let edit = anyEdit(of: snapshot, makesOutlines: false)
      try? edit.apply(to: &snapshot)
      edits.append(edit)
    }
    return EditScript(edits)
  }
}

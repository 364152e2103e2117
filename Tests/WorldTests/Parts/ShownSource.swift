@testable import Diffable

/// What somebody sees, for others who follow it: a state that the world changes, and no actor.
final class ShownSource: CardSource {
  typealias Batch = CardBatch
  let _access: SourceAccess<Shelf, Int>

  init(_ reader: RevisionReader<Shelf, Int>) { _access = SourceAccess(reader) }

  var state: CardState { current.snapshot }

  var current: (snapshot: CardState, revision: Revision) {
    let revision = reader.hub.revision
    return (reader.snapshot(at: revision) ?? CardState(), revision)
  }

  func setExpanded(
    _ isExpanded: Bool, of item: Int, named name: String?
  ) async throws(ChildrenError<Int>) {}
}

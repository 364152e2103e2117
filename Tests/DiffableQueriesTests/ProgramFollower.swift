import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffableQueries

/// A subscriber of a derived source of notes, which knows nothing but its batches.
struct ProgramFollower {
  typealias Derived = SourceProgramRun.Derived

  private var batches: AsyncStream<ModelBatch<Folder, Note>>.Iterator
  private(set) var keeper = Keeper()

  init(_ source: Derived, _ policy: UpdatePolicy = .coalesced) {
    batches = source.updates(policy).makeAsyncIterator()
  }

  /// Takes batches until the newest state is there.
  ///
  /// A subscriber that shows it already would wait for ever.
  mutating func follow(_ source: Derived) async throws {
    while await source.revision != keeper.revision {
      guard let batch = await batches.next() else { throw failure("the stream has ended") }
      let before = keeper.snapshot
      guard keeper.take(batch) else { throw failure("\(batch) does not follow") }
      try check(batch, after: before)
    }
    for section in keeper.snapshot.sectionIdentifiers {
      let model = keeper.snapshot.sectionModel(of: section)
      guard keeper.headers[section] == model else {
        throw failure("the header of \(section) is not that of the batches")
      }
    }
    for item in keeper.snapshot.itemIdentifiers {
      guard keeper.models[item] == keeper.snapshot.model(of: item, as: Note.self) else {
        throw failure("the model of \(item) is not that of the batches")
      }
    }
  }

  private func failure(_ text: String) -> SourceProgramRun.Failure { .init(description: text) }

  /// A batch starts where the last one ended, changes as little as possible, and shows again what
  /// shows something else.
  private func check(_ batch: ModelBatch<Folder, Note>, after shown: Snapshot<Folder, Int>) throws {
    guard let previous = batch.previousSnapshot else { return }
    guard previous == shown else { throw failure("\(batch) starts elsewhere") }
    let violations = minimalityViolations(batch)
    guard violations.isEmpty else { throw failure("\(batch): \(violations)") }
    let map = PositionMap(batch.difference)
    let updated = Set(batch.difference.itemReconfigures)
      .union(map.newPaths(forOld: batch.difference.itemReloads))
    let reloaded = map.newSections(forOld: batch.difference.sectionReloads)
    for item in batch.snapshot.itemIdentifiers {
      guard let path = batch.snapshot.itemPath(for: item), map.oldPath(forNew: path) != nil,
        previous.containsItem(item), batch.model(for: item) != batch.previousModel(for: item)
      else { continue }
      guard updated.contains(path) || reloaded.contains(path.section) else {
        throw failure("\(batch) does not show \(item) again")
      }
    }
  }
}

/// What a batch changes although it need not.
func minimalityViolations(_ batch: ModelBatch<Folder, Note>) -> [LawViolation<DifferenceLaw>] {
  // The law of moves knows no names.
  guard let previous = batch.previousSnapshot, batch.difference.itemRenames.isEmpty else {
    return []
  }
  var structure = batch.difference
  (structure.itemReconfigures, structure.itemReloads) = (ItemPathSet(), ItemPathSet())
  // The law knows no models, but rows that are folded otherwise.
  let map = PositionMap(batch.difference)
  structure.itemReconfigures = ItemPathSet(
    batch.snapshot.itemIdentifiers.compactMap { item in
      guard let path = batch.snapshot.itemPath(for: item), map.oldPath(forNew: path) != nil,
        previous.disclosure(of: item) ?? Disclosure()
          != batch.snapshot.disclosure(of: item) ?? Disclosure()
      else { return nil }
      return path
    })
  (structure.sectionReconfigures, structure.sectionReloads) = (RangeSet(), RangeSet())
  return DifferenceLaw.violations(of: structure, from: previous, to: batch.snapshot)
    .filter { [.replay, .inverse, .minimality].contains($0.law) }
}

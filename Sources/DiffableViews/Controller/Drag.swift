import Diffable

/// A drag by the user, while there is one.
///
/// It has the turn of the list from its beginning to its end. So the list shows nothing but its
/// previews meanwhile, one after the other.
@MainActor
final class Drag<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Show = @MainActor (UpdateBatch<SectionID, ItemID>) async -> Void

  private var reordering: Reordering<SectionID, ItemID>?
  private var proposalCount = 0
  /// Who may show something of the drag.
  private let previews = Turns()
  /// Who may show something in the list.
  private let turns: Turns

  init(turns: Turns) {
    self.turns = turns
  }

  var isUnderWay: Bool { reordering != nil }

  var items: [ItemID] { reordering?.items ?? [] }

  /// Begins, with the turn that the caller has.
  func begin(_ reordering: Reordering<SectionID, ItemID>) {
    self.reordering = reordering
  }

  /// Shows what is proposed, unless something newer is by the time that it could be shown.
  func propose(
    to destination: ReorderDestination<SectionID, ItemID>, _ show: Show
  ) async throws(SnapshotError) {
    proposalCount += 1
    let proposal = proposalCount
    await previews.take()
    defer { previews.pass() }
    guard proposal == proposalCount, let batch = try reordering?.proposed(to: destination)
    else { return }
    await show(batch)
  }

  /// Writes what is proposed, shows what becomes of it, and ends; without a change it is as after
  /// ``cancel(_:)``.
  func commit(
    named name: String?, _ show: Show
  ) async throws(DataSourceError) -> Transaction<SectionID, ItemID>? {
    await previews.take()
    defer { previews.pass() }
    do throws(DataSourceError) {
      guard let transaction = try await reordering?.commit(named: name) else {
        await takeBack(show)
        return nil
      }
      await complete(transaction, show)
      return transaction
    } catch {
      await takeBack(show)
      throw error
    }
  }

  /// Shows the order of before, and ends.
  func cancel(_ show: Show) async {
    await previews.take()
    defer { previews.pass() }
    await takeBack(show)
  }

  private func takeBack(_ show: Show) async {
    guard let batch = reordering?.cancel() else { return }
    await show(batch)
    end()
  }

  /// Goes from the preview to the state after the drop, with all that was marked since the drag began.
  private func complete(_ transaction: Transaction<SectionID, ItemID>, _ show: Show) async {
    // A proposal that comes to nothing makes no revision, and there is no batch to wait for.
    guard transaction.revision != reordering?.base else { return await takeBack(show) }
    if let batch = await reordering?.batch(completing: transaction) { await show(batch) }
    end()
  }

  private func end() {
    reordering = nil
    turns.pass()
  }
}

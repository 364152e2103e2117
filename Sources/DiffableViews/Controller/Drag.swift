import Diffable

/// A drag by the user, if there is one.
///
/// It has the turn of the list from its beginning to its end. So during the drag the list only
/// shows its previews, one after another.
@MainActor
final class Drag<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Show = @MainActor (UpdateBatch<SectionID, ItemID>) async -> Void

  private var state = DragState<Reordering<SectionID, ItemID>>()
  private var reordering: Reordering<SectionID, ItemID>? {
    get { state.reordering }
    set { state.reordering = newValue }
  }
  /// Whether the items have children, which only an outline can hold.
  private(set) var hasChildren = false
  private var proposalCount = 0
  /// The turns to show a preview of the drag.
  private let previews = Turns()
  /// The turns to show something in the list.
  private let turns: Turns

  init(turns: Turns) {
    self.turns = turns
  }

  var isUnderWay: Bool { reordering != nil }

  var items: [ItemID] { reordering?.items ?? [] }

  var refusal: ReorderRefusal? { reordering?.refusal }

  /// Begins a drag, once it has the turn and the source allows it.
  ///
  /// - Parameter reordering: Begins it in the source; `nil` if that is impossible. It is called in the turn.
  /// - Returns: Whether it has begun. It has not if there is another one, or if it was called off.
  func begin(
    _ reordering: () async throws(DataSourceError) -> (
      reordering: Reordering<SectionID, ItemID>, hasChildren: Bool
    )?
  ) async throws(DataSourceError) -> Bool {
    let number = turns.makeNumber()
    guard state.request(number) else { return false }
    defer { state.forget(number) }
    guard await turns.take(number) else { return false }
    // Whoever has called it off, or cancelled the task, may have come too late to end the wait.
    if state.requested == number, let drag = try await inTurn(reordering), !Task.isCancelled,
      state.begin(drag.reordering, requested: number)
    {
      hasChildren = drag.hasChildren
      return true
    }
    turns.pass()
    return false
  }

  private func inTurn<Result>(
    _ work: () async throws(DataSourceError) -> Result
  ) async throws(DataSourceError) -> Result {
    do throws(DataSourceError) {
      return try await work()
    } catch {
      turns.pass()
      throw error
    }
  }

  /// Begins a drag that the view has ended already; the caller must have the turn.
  func begin(_ reordering: Reordering<SectionID, ItemID>) {
    (self.reordering, hasChildren) = (reordering, false)
  }

  /// Ends a drag that has not begun yet: it will not begin.
  ///
  /// - Returns: Whether there was one.
  func callOff() -> Bool {
    guard let number = state.callOff() else { return false }
    turns.leave(number)
    return true
  }

  /// Shows a proposal, unless a newer one waits by the time that it could be shown.
  ///
  /// The preview is made off the main actor.
  func propose(
    to destination: ReorderDestination<SectionID, ItemID>, _ show: Show
  ) async throws(SnapshotError) {
    proposalCount += 1
    let proposal = proposalCount
    await previews.take()
    defer { previews.pass() }
    guard proposal == proposalCount, let reordering else { return }
    let preview = await Task.detached(priority: Task.currentPriority) {
      var next = reordering
      return Result { () throws(SnapshotError) in (try next.proposed(to: destination), next) }
    }.value
    // It has the turn, so nothing else has changed the drag meanwhile.
    let batch: UpdateBatch<SectionID, ItemID>
    (batch, self.reordering) = try preview.get()
    await show(batch)
  }

  /// Commits the proposal, shows the result, and ends; without a change it is like ``cancel(_:)``.
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

  /// Shows the original order, and ends.
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

  /// Shows the state after the drop instead of the preview, with all marks since the drag began.
  private func complete(_ transaction: Transaction<SectionID, ItemID>, _ show: Show) async {
    // A proposal that changes nothing makes no revision, so there is no batch to wait for.
    guard transaction.target != reordering?.base else { return await takeBack(show) }
    if let batch = await reordering?.batch(completing: transaction) { await show(batch) }
    end()
  }

  private func end() {
    reordering = nil
    turns.pass()
  }
}

import Diffable
import DiffableViews

// Writes are queued, so that they reach the source in the order of the calls.

extension DiffableDataSource {
  /// Replaces the state; returns when it, or a newer one, is on the screen.
  func write(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>, _ presentation: Presentation
  ) async throws(DataSourceError) {
    try await perform(.replacement(snapshot, presentation: presentation))
  }

  /// Edits the state; returns when the result, or a newer state, is on the screen.
  func edit(
    _ presentation: Presentation,
    _ edit:
      @escaping @Sendable (inout Snapshot<SectionIdentifierType, ItemIdentifierType>)
      throws(SnapshotError) -> Void
  ) async throws(DataSourceError) {
    try await perform(.edit(presentation: presentation) { try edit(&$0) })
  }

  private func perform(
    _ change: OrderChange<SectionIdentifierType, ItemIdentifierType>
  ) async throws(DataSourceError) {
    guard !Task.isCancelled else { throw .cancelled }
    let result = await withCheckedContinuation { waiter in
      enqueue(Write(change: change, waiter: waiter))
    }
    await controller.displayed(try result.get())
  }

  /// Replaces the state in its turn.
  func enqueue(
    _ snapshot: Snapshot<SectionIdentifierType, ItemIdentifierType>, _ presentation: Presentation,
    _ completion: (() -> Void)?
  ) {
    enqueue(
      Write(
        change: .replacement(snapshot, presentation: presentation),
        completions: completion.map { [$0] } ?? []))
  }

  /// Edits the state in its turn.
  func enqueueEdit(
    _ presentation: Presentation, _ completion: (() -> Void)?,
    _ edit:
      @escaping @Sendable (inout Snapshot<SectionIdentifierType, ItemIdentifierType>)
      throws(SnapshotError) -> Void
  ) {
    enqueue(
      Write(
        change: .edit(presentation: presentation) { try edit(&$0) },
        completions: completion.map { [$0] } ?? []))
  }

  /// Records the state after one more write.
  private func expect(_ change: OrderChange<SectionIdentifierType, ItemIdentifierType>) {
    // An error is reported in its turn.
    if let edited = try? change.edited(snapshot()) { setPending(edited) }
  }

  private func setPending(_ new: Snapshot<SectionIdentifierType, ItemIdentifierType>?) {
    // The previous state is released after the access: that can run code of the user, which may ask
    // for the newest state.
    var new = new
    swap(&pending, &new)
  }

  private func enqueue(_ write: Write) {
    expect(write.change)
    queue.append(write)
    guard !isWriting else { return }
    isWriting = true
    startForAll {
      while let write = self.nextWrite() { await self.perform(write) }
      self.isWriting = false
    }
  }

  /// The first write of the queue, without snapshots that later ones replace.
  ///
  /// The marks of those are marks of the snapshot that replaces them.
  private func nextWrite() -> Write? {
    guard !queue.isEmpty else { return nil }
    var write = queue.removeFirst()
    while write.isReplaceable, case .replacement(let older) = write.change.kind,
      case .replacement(var newer)? = queue.first?.change.kind
    {
      let next = queue.removeFirst()
      newer.marks.takeOver(older.marks)
      write = Write(
        change: .replacement(
          newer, presentation: max(write.change.presentation, next.change.presentation)),
        completions: write.completions + next.completions, waiter: next.waiter)
    }
    return write
  }

  private func perform(_ write: Write) async {
    do throws(DataSourceError) {
      let revision = try await source.write(write.change).target
      if queue.isEmpty { setPending(nil) }
      write.waiter?.resume(returning: .success(revision))
      guard !write.completions.isEmpty else { return }
      Task {
        await controller.displayed(revision)
        for completion in write.completions { completion() }
      }
    } catch {
      // The writes that wait begin without this one.
      setPending(nil)
      for write in queue { expect(write.change) }
      guard let waiter = write.waiter else {
        errorHandler?(error)
        return
      }
      waiter.resume(returning: .failure(error))
    }
  }
}

/// Starts work that serves several callers, in a task that belongs to none of them.
///
/// The caller that happens to be first must not pass on its priority or its task-local values.
@MainActor private func startForAll(_ work: @escaping @MainActor () async -> Void) {
  Task.detached(priority: .userInitiated) { await work() }
}

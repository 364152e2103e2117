import Diffable

/// Takes the batches of one source after the other to whoever shows them.
///
/// A newer source ends the older one. Only the source that was followed last is taken up where it
/// was left: a revision says nothing about another one.
@MainActor
final class Follower<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Source = DataSourceActor<SectionID, ItemID>
  /// Shows a batch; answers whether there is still something to show it in.
  typealias Show = @MainActor (UpdateBatch<SectionID, ItemID>) async -> Bool

  /// Whom the revision on display belongs to.
  private weak var source: Source?
  /// Differs for each time something was followed.
  private var number = 0
  private var task: Task<Void, Never>?

  deinit {
    task?.cancel()
  }

  /// Follows a source in the task of the caller.
  func follow(
    _ source: Source, after revision: Revision?, _ show: Show
  ) async -> FollowingEnd {
    let updates = begin(source, after: revision)
    let number = number
    for await batch in updates {
      guard number == self.number else { return .superseded }
      guard await show(batch) else { return .hostGone }
      guard number == self.number else { return .superseded }
    }
    return Task.isCancelled ? .cancelled : .sourceFinished
  }

  /// Follows a source in a task that ends with this object.
  ///
  /// - Parameter show: Must not hold whoever owns this object.
  func start(_ source: Source, after revision: Revision?, _ show: @escaping Show) {
    task?.cancel()
    let updates = begin(source, after: revision)
    let number = number
    task = Task { [weak self] in
      for await batch in updates {
        guard self?.number == number, await show(batch), self?.number == number else { return }
      }
    }
  }

  /// Ends what ``start(_:after:_:)`` began.
  func stop() {
    task?.cancel()
    task = nil
  }

  /// Follows nothing any longer; no source is taken up where it was left.
  func forget() {
    stop()
    number += 1
    source = nil
  }

  private func begin(
    _ source: Source, after revision: Revision?
  ) -> AsyncStream<UpdateBatch<SectionID, ItemID>> {
    let isKnown = source === self.source
    self.source = source
    number += 1
    return source.updates(after: isKnown ? revision : nil)
  }
}

internal import Synchronization

/// The source that a source follows, as seen by the subscribers of the latter.
///
/// A source that follows another one works only on request. So a subscriber announces its request,
/// and lets the source catch up before it is served.
final class Upstream: Sendable {
  private struct Source {
    let catchUp: @Sendable () async -> Void
    let follow: @Sendable () async -> Void
    let rest: @Sendable () -> Void
  }

  private let source = Lock<Source?>(nil)
  private let asking = Atomic<Int>(0)

  /// Sets what to do, once there is a source that can do it.
  ///
  /// - Parameters:
  ///   - catchUp: Waits until the source shows the state of the source that it follows.
  ///   - follow: Lets the source follow that source until it has published the next state.
  ///   - rest: Called when a subscriber goes away.
  func begin(
    catchUp: @escaping @Sendable () async -> Void, follow: @escaping @Sendable () async -> Void,
    rest: @escaping @Sendable () -> Void
  ) {
    source.withLock { $0 = Source(catchUp: catchUp, follow: follow, rest: rest) }
  }

  /// Whether a subscriber is waiting for a batch now.
  var isAsked: Bool { asking.load(ordering: .acquiring) > 0 }

  /// Waits until the source shows the state of the source that it follows.
  func catchUp() async {
    await source.withLock { $0?.catchUp }?()
  }

  /// Lets the source follow the source that it follows: a subscriber is going to wait.
  func follow() async {
    await source.withLock { $0?.follow }?()
  }

  /// Reports that a subscriber has gone away.
  func rest() {
    source.withLock { $0?.rest }?()
  }

  /// Reports that a subscriber waits for a batch, until a function returns.
  func asking<Result: Sendable>(_ body: () async -> Result) async -> Result {
    asking.wrappingAdd(1, ordering: .acquiringAndReleasing)
    defer { asking.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
    return await body()
  }
}

internal import Synchronization

/// What a source follows, as those see it who follow the source.
///
/// A source that follows another one works when it is asked. So a subscriber says that it asks, and
/// lets the source catch up, before it is served.
final class Upstream: Sendable {
  private struct Source {
    let catchUp: @Sendable () async -> Void
    let rest: @Sendable () -> Void
  }

  private let source = Mutex<Source?>(nil)
  private let asking = Atomic<Int>(0)

  /// Says what to do, once there is a source that can do it.
  ///
  /// - Parameters:
  ///   - catchUp: Waits until the source shows what it follows.
  ///   - rest: Is called when a subscriber goes.
  func begin(catchUp: @escaping @Sendable () async -> Void, rest: @escaping @Sendable () -> Void) {
    source.withLock { $0 = Source(catchUp: catchUp, rest: rest) }
  }

  /// Whether a subscriber asks for a batch at this moment.
  var isAsked: Bool { asking.load(ordering: .acquiring) > 0 }

  /// Waits until the source shows what it follows.
  func catchUp() async {
    await source.withLock { $0?.catchUp }?()
  }

  /// Says that a subscriber has gone.
  func rest() {
    source.withLock { $0?.rest }?()
  }

  /// Says that a subscriber asks for a batch until a function returns.
  func asking<Result: Sendable>(_ body: () async -> Result) async -> Result {
    asking.wrappingAdd(1, ordering: .acquiringAndReleasing)
    defer { asking.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
    return await body()
  }
}

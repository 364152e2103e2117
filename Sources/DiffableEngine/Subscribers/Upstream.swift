internal import Synchronization

/// The sources that a source follows, as seen by the subscribers of the latter.
///
/// A source that follows others works only on request. So a subscriber announces its request, and
/// lets the source catch up before it is served.
package final class Upstream: Sendable {
  private struct Source {
    let catchUp: @Sendable () async -> Void
    let follow: @Sendable () async -> Void
    let rest: @Sendable () -> Void
  }

  private let source = Lock<Source?>(nil)
  private let asking = Atomic<Int>(0)
  /// The hubs of the followed sources.
  private let followed = Lock<[Hub]>([])
  /// Held while any source begins to follow others: two that begin at once may close a circle
  /// together.
  private static let circles = Lock<Void>(())

  package init() {}

  /// Sets what to do, once there is a source that can do it.
  ///
  /// - Parameters:
  ///   - hubs: The hubs of the followed sources.
  ///   - catchUp: Waits until the source shows the state of the source that it follows.
  ///   - follow: Lets the source follow that source until it has published the next state.
  ///   - rest: Called when a subscriber goes away.
  package func begin(
    following hubs: [Hub], catchUp: @escaping @Sendable () async -> Void,
    follow: @escaping @Sendable () async -> Void,
    rest: @escaping @Sendable () -> Void
  ) {
    followed.withLock { $0 = hubs }
    source.withLock { $0 = Source(catchUp: catchUp, follow: follow, rest: rest) }
  }

  /// Replaces the followed sources, unless one of them follows the source of a hub.
  ///
  /// - Returns: Whether they were replaced.
  package func follow(_ hubs: [Hub], for own: Hub) -> Bool {
    // Hubs that may be released here are released after the lock.
    var released = hubs
    return Self.circles.withLock { _ in
      var isCircle = false
      released += Hub.reached(from: hubs) { hub in
        if hub === own { isCircle = true }
        return !isCircle
      }
      guard !isCircle else { return false }
      released += followed.withLock { followed in
        defer { followed = hubs }
        return followed
      }
      return true
    }
  }

  /// Forgets the followed sources: their follower is gone.
  package func end() {
    _ = followed.withLock { followed in
      defer { followed = [] }
      return followed
    }
  }

  /// The hubs of the followed sources.
  fileprivate var hubs: [Hub] { followed.withLock { $0 } }

  /// Whether a subscriber requests a batch now, and does not wait for it yet.
  package var isAsked: Bool { asking.load(ordering: .acquiring) > 0 }

  /// Waits until the source shows the state of the source that it follows.
  package func catchUp() async {
    await source.withLock { $0?.catchUp }?()
  }

  /// Lets the source follow the source that it follows: a subscriber is going to wait.
  package func follow() async {
    await source.withLock { $0?.follow }?()
  }

  /// Reports that a subscriber has gone away, or a reader that has let the source catch up.
  package func rest() {
    source.withLock { $0?.rest }?()
  }

  /// Reports that a subscriber requests a batch.
  func beginAsking() { asking.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Reports that this subscriber has its batch, or is among those that wait.
  func endAsking() { asking.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}

extension Hub {
  /// Whether the source has ended, or all sources from which it gets something have.
  package var hasEnded: Bool {
    var isAlive = false
    _ = Hub.reached(from: [self]) { hub in
      let isFinished = hub.withMachine { $0.isFinished }
      if !isFinished, hub.upstream == nil { isAlive = true }
      return !isFinished && !isAlive
    }
    return !isAlive
  }

  /// Whether the source has ended, and its list with it.
  ///
  /// A list goes on if it is in a log. So does what is derived from it.
  var hasListEnded: Bool {
    guard withMachine({ $0.isFinished }) else { return false }
    return Hub.reached(from: [self]) { _ in true }
      .allSatisfy { hub in !hub.outlivesSource || !hub.withMachine { $0.isFinished } }
  }

  /// Calls a function with some hubs, and with those of all sources that their sources follow.
  ///
  /// - Parameter continues: Whether to go on to what a source follows.
  /// - Returns: All these hubs, each once.
  fileprivate static func reached(from hubs: [Hub], _ continues: (Hub) -> Bool) -> [Hub] {
    var known = Set(hubs.map(ObjectIdentifier.init))
    var reached = hubs
    var next = 0
    while next < reached.count {
      defer { next += 1 }
      guard continues(reached[next]), let upstream = reached[next].upstream else { continue }
      reached += upstream.hubs.filter { known.insert(ObjectIdentifier($0)).inserted }
    }
    return reached
  }
}

/// How many subscribers a source has, and how many tasks wait.
package struct Population: Hashable, Sendable {
  /// Streams that are held and have not ended.
  package var subscribers = 0
  /// Tasks that wait for a batch.
  package var waiting = 0
  /// Tasks that wait until others have received a revision.
  package var settling = 0

  package init(subscribers: Int = 0, waiting: Int = 0, settling: Int = 0) {
    self.subscribers = subscribers
    self.waiting = waiting
    self.settling = settling
  }
}

extension ListSource {
  /// The current number of subscribers and of waiting tasks.
  package nonisolated var population: Population {
    reader.hub.withMachine { $0.population }
  }
}

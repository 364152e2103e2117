import Diffable
import DiffableSync
import Foundation

/// The machines of a cluster, and which of them are silent.
///
/// A machine that is switched off or cut off says nothing about that: its list only stays as it is.
@MainActor
final class ClusterMachines {
  /// How often a machine on which nothing changes says that it is there.
  nonisolated static let heartbeat = Duration.seconds(5)
  /// How long a machine may say nothing; three heartbeats.
  private static let limit = Duration.seconds(15)

  private struct Word {
    let revision: Revision
    let instant: ContinuousClock.Instant
    let date: Date
  }

  /// The lists by the names of the machines.
  var lists: [String: SharedList] = [:]
  /// When each silent machine said its last word.
  private(set) var silent: [String: Date] = [:]
  /// Called when a machine falls silent or says something again.
  var changeHandler: @MainActor ([String: Date]) -> Void = { _ in }

  /// The last word of each machine.
  private var words: [String: Word] = [:]

  /// Looks which machines have said something since the last look.
  ///
  /// A machine says the time of its last word itself, so that it is also known if it came before this
  /// program was started.
  func look(at instant: ContinuousClock.Instant = .now, _ date: Date = Date()) async {
    let lists = lists
    var revisions: [String: Revision] = [:]
    for (name, list) in lists { revisions[name] = await list.revision }
    words = words.filter { revisions[$0.key] != nil }
    for (name, revision) in revisions where words[name]?.revision != revision {
      words[name] = Word(revision: revision, instant: instant, date: date)
    }
    var silent = words.filter { $0.value.instant.duration(to: instant) > Self.limit }
      .mapValues(\.date)
    for name in silent.keys {
      let word = await lists[name]?.sectionModel(for: .machine(name))?.lastWord
      if let word { silent[name] = Date(timeIntervalSince1970: TimeInterval(word)) }
    }
    guard silent != self.silent else { return }
    self.silent = silent
    changeHandler(silent)
  }
}

import Diffable
import DiffableSync
import Foundation

/// The machines of a cluster, and which of them are silent.
@MainActor
final class ClusterMachines {
  /// The lists by the names of the machines.
  var lists: [String: SharedList] = [:]
  /// When each silent machine said its last word.
  private(set) var silent: [String: Date] = [:]
  /// Called when a machine falls silent or says something again.
  var changeHandler: @MainActor ([String: Date]) -> Void = { _ in }

  private var silence = MachineSilence()

  /// Looks which machines have said something since the last look.
  ///
  /// A machine says the time of its last word itself, so that it is also known if it came before this
  /// program was started.
  func look(at instant: ContinuousClock.Instant = .now, _ date: Date = Date()) async {
    let lists = lists
    var revisions: [String: Revision] = [:]
    for (name, list) in lists { revisions[name] = await list.revision }
    var silent = silence.silent(revisions, at: instant, date)
    for name in silent.keys {
      let word = await lists[name]?.sectionModel(for: .machine(name))?.lastWord
      if let word { silent[name] = Date(timeIntervalSince1970: TimeInterval(word)) }
    }
    guard silent != self.silent else { return }
    self.silent = silent
    changeHandler(silent)
  }
}

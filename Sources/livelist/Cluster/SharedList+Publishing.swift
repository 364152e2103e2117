import Diffable
import DiffableSync
import Foundation

extension ProcessSource {
  /// Publishes the processes of this machine until the task is cancelled.
  ///
  /// This machine is the only one that writes to its list. Each batch makes one revision there, so a
  /// slow network gets fewer of them. While the servers cannot be reached, one waits, and after it the newest. A
  /// machine on which nothing changes says that it is there.
  ///
  /// - Parameters:
  ///   - list: The list of this machine.
  ///   - machine: The name of this machine.
  ///   - clock: The clock of what it says when nothing changes.
  func publish(
    to list: SharedList, as machine: String, clock: any Clock<Duration> = ContinuousClock()
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.publishChanges(to: list, as: machine) }
      group.addTask {
        while true {
          try await clock.sleep(for: ClusterMachines.heartbeat)
          // If it was not heard, the next one is.
          _ = try await list.write(as: machine) { _ in }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func publishChanges(to list: SharedList, as machine: String) async throws {
    let group = ProcessGroup.machine(machine)
    for await batch in updates() {
      let records = batch.snapshot.itemIdentifiers.compactMap { id in
        batch.model(for: id)?.on(machine)
      }
      let summary = batch.sectionModel(for: .everybody) ?? ProcessSummary()
      func write() async throws -> Bool {
        try await list.write(as: machine) { draft in
          if !draft.snapshot.containsSection(group) { draft.snapshot.appendSections([group]) }
          try draft.replaceItems(inSection: group, with: records)
          try draft.setSectionModel(summary, for: group)
        }
      }
      while try await !write() {}
    }
  }
}

extension SharedList {
  /// Changes the list of a machine, and says that the machine is there.
  ///
  /// - Returns: Whether it is certain that the servers have the change. It may be made again.
  fileprivate func write(
    as machine: String,
    _ change: @escaping @Sendable (inout ModelDraft<ProcessGroup, ProcessRecord>) throws -> Void
  ) async throws -> Bool {
    let group = ProcessGroup.machine(machine)
    do {
      _ = try await update { draft in
        try change(&draft)
        guard var summary = draft.sectionModel(for: group) else { return }
        summary.lastWord = Int(Date().timeIntervalSince1970)
        try draft.setSectionModel(summary, for: group)
      }
      return true
    } catch ReplicationError.unknownFate, ReplicationError.timedOut {
      return false
    }
  }
}

extension ProcessRecord {
  /// The same process in a list of several machines.
  fileprivate func on(_ machine: String) -> ProcessRecord {
    var record = self
    record.listed.id.machine = machine
    record.parent?.machine = machine
    return record
  }
}

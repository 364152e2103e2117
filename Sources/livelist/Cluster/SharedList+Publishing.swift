import Diffable

extension ProcessSource {
  /// Publishes the processes of this machine until the task is cancelled.
  ///
  /// This machine is the only one that writes to its list. Each batch makes one revision there, so a
  /// slow network gets fewer of them.
  ///
  /// - Parameters:
  ///   - list: The list of this machine.
  ///   - machine: The name of this machine.
  func publish(to list: SharedList, as machine: String) async throws {
    let group = ProcessGroup.machine(machine)
    for await batch in updates() {
      let records = batch.snapshot.itemIdentifiers.compactMap { id in
        batch.model(for: id)?.on(machine)
      }
      let summary = batch.sectionModel(for: .everybody) ?? ProcessSummary()
      do {
        _ = try await list.update { draft in
          if !draft.snapshot.containsSection(group) { draft.snapshot.appendSections([group]) }
          try draft.replaceItems(inSection: group, with: records)
          try draft.setSectionModel(summary, for: group)
        }
      } catch let error as ReplicationError {
        // The next batch has everything that this one has.
        guard case .unknownFate = error else { throw error }
      }
    }
  }
}

extension ProcessRecord {
  /// The same process in a list of several machines.
  fileprivate func on(_ machine: String) -> ProcessRecord {
    var record = self
    record.listed = ListedProcess(
      id: ProcessID(number: id.number, start: id.start, machine: machine), parent: listed.parent,
      user: listed.user, command: listed.command, isKernelThread: listed.isKernelThread)
    record.parent?.machine = machine
    return record
  }
}

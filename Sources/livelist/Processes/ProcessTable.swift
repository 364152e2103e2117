import Diffable

/// What the writers know about processes.
///
/// The data source holds who is there and in which order; this is where a renderer finds what to
/// show in a row. Writers hand their news over here, and the table writes to the source: so whatever
/// is written is arranged as the user wants it by then.
actor ProcessTable {
  /// The table at one moment.
  struct Contents: Equatable, Sendable {
    var records: [ProcessID: ProcessRecord] = [:]
    var machineMemory: MachineMemory?
    var arrangement: ProcessArrangement
  }

  nonisolated let source: ProcessSource
  private(set) var contents: Contents
  /// What the arrangement was before a revision that the user has made.
  private var formerArrangements: [Revision: ProcessArrangement] = [:]

  init(source: ProcessSource, arrangement: ProcessArrangement) {
    self.source = source
    contents = Contents(arrangement: arrangement)
  }

  /// Lists exactly these processes.
  func list(_ processes: [ListedProcess]) async throws {
    let renamed = setProcesses(processes)
    let (records, arrangement) = (contents.records, contents.arrangement)
    try await source.update { snapshot in
      try arrangement.list(records, in: &snapshot)
      try arrangement.mark(renamed, in: &snapshot)
    }
  }

  /// Puts the rows there are in order, and marks those that look different.
  func rearrange(changed: Set<ProcessID>) async throws {
    let (records, arrangement) = (contents.records, contents.arrangement)
    try await source.update { snapshot in
      try arrangement.rearrange(&snapshot, by: records, changed: changed)
    }
  }

  /// Takes the processes there are: others are forgotten, figures of known ones stay.
  func setProcesses(_ processes: [ListedProcess]) -> Set<ProcessID> {
    var records: [ProcessID: ProcessRecord] = [:]
    var changed: Set<ProcessID> = []
    for process in processes {
      var record = contents.records[process.id] ?? ProcessRecord(listed: process)
      if record.listed != process {
        record.listed = process
        changed.insert(process.id)
      }
      records[process.id] = record
    }
    contents.records = records
    return changed
  }

  /// Takes processor time, in thousandths of one core.
  func setPermille(_ values: [ProcessID: Int]) -> Set<ProcessID> {
    set(values, at: \.permille)
  }

  /// Takes resident memory and that of the machine, in bytes.
  func setMemory(_ values: [ProcessID: Int], machine: MachineMemory?) -> Set<ProcessID> {
    contents.machineMemory = machine
    return set(values, at: \.memory)
  }

  private func set(
    _ values: [ProcessID: Int], at field: WritableKeyPath<ProcessRecord, Int>
  ) -> Set<ProcessID> {
    var changed: Set<ProcessID> = []
    for (id, value) in values {
      guard let record = contents.records[id], record[keyPath: field] != value else { continue }
      contents.records[id]?[keyPath: field] = value
      changed.insert(id)
    }
    return changed
  }

  // MARK: Arrangement

  /// Lets everything that is written from now on stand in another way; answers how it stood.
  func setArrangement(_ arrangement: ProcessArrangement) -> ProcessArrangement {
    defer { contents.arrangement = arrangement }
    return contents.arrangement
  }

  /// Takes note of how the list was arranged before the user made a revision.
  func remember(_ arrangement: ProcessArrangement, before revision: Revision) {
    formerArrangements[revision] = arrangement
  }

  /// How the list was arranged before a revision that the user made; as it is now for any other.
  func arrangement(before revision: Revision) -> ProcessArrangement {
    formerArrangements[revision] ?? contents.arrangement
  }
}

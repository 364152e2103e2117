/// What the writers know about processes.
///
/// The data source holds who is there and in which order; this is where a renderer finds what to
/// show in a row. Every method takes one writer's news and answers which rows look different now.
actor ProcessTable {
  /// The table at one moment.
  struct Contents: Equatable, Sendable {
    var records: [ProcessID: ProcessRecord] = [:]
    var machineMemory: MachineMemory?
  }

  private(set) var contents = Contents()

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
}

import Diffable
import DiffableSync
import DiffableTesting
import Foundation

/// The time for each write through a log that takes a while to answer.
///
/// By one writer and by 64 of one participant, through a log that answers in a millisecond. And by 16
/// writers of one participant and of 16 each, through one that answers in a tenth of a second. One
/// machine does the work of sixteen here, and with a faster log that alone would be measured.
func probeSharedAppends() async throws {
  var (one, many, alone, all) = ([Double](), [Double](), [Double](), [Double]())
  for _ in 0..<3 {
    one.append(try await time(.milliseconds(1), participants: 1, writers: 1, each: 300))
    many.append(try await time(.milliseconds(1), participants: 1, writers: 64, each: 150))
    alone.append(try await time(.milliseconds(100), participants: 1, writers: 16, each: 30))
    all.append(try await time(.milliseconds(100), participants: 16, writers: 16, each: 15))
  }
  try Figure(name: "appends/1-ms/1/ours", unit: .seconds, values: one).print()
  try Figure(name: "appends/1-ms/64/ours", unit: .seconds, values: many).print()
  try Figure(name: "appends/100-ms/16/ours", unit: .seconds, values: alone).print()
  try Figure(name: "appends/100-ms/16-by-16/ours", unit: .seconds, values: all).print()
}

private func time(
  _ answer: Duration, participants: Int, writers: Int, each: Int
) async throws -> Double {
  let log = MemoryLog()
  var options = ReplicationOptions()
  options.revisionsPerState = .max
  (options.timeLimit, options.tries) = (.seconds(3_600), .max)
  var lists: [ReplicatedSource<UpdateBatch<String, Int>>] = []
  for _ in 0..<participants {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    lists.append(
      try await ReplicatedSource(
        FarLog(log: log.participant(), answer: answer), options: options
      ) {
        try $0.json { try Array(encoder.encode($0)) }
      } decode: {
        try decoder.decode(UpdateDelta<String, Int>.self, from: Data($0))
      })
  }
  let first = try await lists[0].update { $0.appendSections(["A"]) }.revision
  for list in lists { try await list.reached(first) }
  let start = ContinuousClock.now
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (participant, list) in lists.enumerated() {
      for writer in 0..<writers {
        group.addTask {
          for write in 0..<each {
            let number = (participant * writers + writer) * each + write
            _ = try await list.update { try $0.appendItems([number], toSection: "A") }
          }
        }
      }
    }
    try await group.waitForAll()
  }
  let time = start.duration(to: .now) / .seconds(1)
  for list in lists { await list.finish() }
  return time / Double(participants * writers * each)
}

/// A log that takes a while to answer to an append, and tells others of it later.
private struct FarLog: RevisionLog {
  let log: MemoryLog.Participant
  let answer: Duration

  func epoch() async throws(RevisionLogError) -> Epoch { try await log.epoch() }

  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    try? await Task.sleep(for: answer / 2)
    let isAppended = try await log.append(entries, after: revision)
    try? await Task.sleep(for: answer / 2)
    return isAppended
  }

  func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage {
    let page = try await log.entries(after: known)
    try? await Task.sleep(for: answer / 2)
    return page
  }

  func newestState() async throws(RevisionLogError) -> StoredState? { try await log.newestState() }

  func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError) {
    try await log.store(state, droppingEntriesThrough: revision)
  }
}

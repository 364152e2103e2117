import Diffable
import DiffableSync
import Foundation
import Synchronization

/// The laws of what comes from another process.
func check(_ delta: UpdateDelta<String, Int>) {
  checkSameAfterCoding(delta)
  let batch = waiting {
    await follow(delta, MirrorSource<UpdateBatch<String, Int>>(), and: MirrorSource()) {
      try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
    }
  }
  if let batch = batch ?? nil { check(batch) }
}

func check(_ delta: ModelDelta<Header, Row>) {
  let copy = coded(delta)
  expect(copy.update == delta.update && copy.models == delta.models, "models are kept")
  let batch = waiting {
    await follow(delta, MirrorSource<ModelBatch<Header, Row>>(), and: MirrorSource()) {
      try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
  }
  if let batch = batch ?? nil { check(batch) }
}

/// Lets a mirror that holds what the delta starts from take it, and another one the state after it.
///
/// - Returns: The batch that leads to the state after the delta, if that was taken.
private func follow<Batch: DeltaBatch>(
  _ delta: Batch.Delta, _ mirror: MirrorSource<Batch>, and other: MirrorSource<Batch>,
  decode: @Sendable (String.UTF8View) throws -> Batch.Delta
) async -> Batch?
where Batch.ItemID == Int {
  var batches = mirror.updates().makeAsyncIterator()
  if let base = delta.base {
    // The base may be any text, and no list has a state of that name.
    guard (try? await mirror.apply(held(base).utf8, decode: decode)) != nil else { return nil }
    _ = await batches.next()
  }
  let (revision, snapshot) = await (mirror.revision, mirror.snapshot)
  var batch: Batch?
  do throws(DeltaError) {
    if try await mirror.apply(delta) > revision { batch = await batches.next() }
    let reached = await mirror.snapshot
    expect(batch.map { $0.snapshot == reached } ?? true, "the batch leads to the list")
    expectResult("the list is valid") { try reached.validate() }
    for index in 0..<reached.numberOfSections {
      guard let outline = reached.outline(ofSectionAt: index) else { continue }
      expect(
        outline.visibleItems == Array(reached.items(inSectionAt: index)),
        "a section has the items that its outline shows")
    }
    let state = await mirror.wholeState
    if let state { try await other.apply(state) }
    expect(await other.snapshot == reached, "the state can be sent on")
  } catch {
    expect(!error.description.isEmpty, "an error has words")
    let (after, token) = await (mirror.snapshot, mirror.resumeToken)
    expect(after == snapshot && token == nil, "\(error) has changed nothing")
  }
  for item in await mirror.snapshot.itemIdentifiers {
    expect(await mirror.element(for: item) != nil, "\(item) is shown")
  }
  return batch
}

/// A reset whose state has a name: `A[1 2 3] B[4]` and an outline that hides 6.
private func held(_ base: ResumeToken) -> String {
  let token = String(decoding: (try? JSONEncoder().encode(base)) ?? Data(), as: UTF8.self)
  return """
    {"format":1,"target":\(token),"counts":{"sections":3,"items":7},"sections":[
     {"id":"A","items":[1,2,3]},{"id":"B","items":[4]},
     {"id":"C","outline":[{"id":5},{"id":6,"level":1},{"id":7,"expanded":true},{"id":8,"level":1}]}],
     "models":[\((1...8).map { "{\"id\":\($0),\"text\":0}" }.joined(separator: ","))],
     "sectionModels":[{"id":"A","model":1}]}
    """
}

/// Waits for what a task returns: libFuzzer calls a function that cannot wait otherwise.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
  let isDone = DispatchSemaphore(value: 0)
  let result = Mutex<Value?>(nil)
  Task {
    let value = await body()
    result.withLock { $0 = value }
    isDone.signal()
  }
  isDone.wait()
  return result.withLock { $0 }
}

/// The same events come out, whatever the pieces that the bytes come in; and what came out can be
/// written and read again.
func checkEvents(_ data: Data) {
  let bytes = Array(data)
  let size = 1 + Int(bytes.last ?? 0)
  for limit in [7, 1 << 20] {
    let limits = EventParser.Limits(lineByteCount: limit, eventByteCount: limit)
    let whole = events(in: [bytes[...]], limits)
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      bytes[$0..<min($0 + size, bytes.count)]
    }
    expect(events(in: pieces, limits) == whole, "the same events come out")
    guard limit > 7 else { continue }
    var written: [UInt8] = []
    for event in whole {
      // A name may not be empty, and there is none for those that had none.
      guard
        let bytes = try? ServerSentEvent.bytes(name: event.name, data: event.data)
      else { fatalError("\(event) cannot be written") }
      written += bytes
    }
    expect(events(in: [written[...]], limits) == whole, "what is read is what was written")
  }
}

private func events(
  in pieces: [ArraySlice<UInt8>], _ limits: EventParser.Limits
) -> [EventParser.Event] {
  var parser = EventParser(limits: limits)
  var events: [EventParser.Event] = []
  for piece in pieces {
    do throws(EventStreamError) {
      try parser.parse(piece) { events.append($0) }
    } catch {
      break
    }
  }
  return events
}

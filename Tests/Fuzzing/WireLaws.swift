import Diffable
import Foundation

/// The laws of what comes from another process.
func check(_ delta: UpdateDelta<String, Int>) {
  checkSameAfterCoding(delta)
  guard var list = held(FollowedList<String, Int>(), before: delta.base, { try $0.apply($1) })
  else {
    return
  }
  let (snapshot, token) = (list.snapshot, list.token)
  do throws(DeltaError) {
    check(try list.apply(delta), of: list)
  } catch {
    expect(!error.description.isEmpty, "an error has words")
    expect(list.snapshot == snapshot && list.token == token, "\(error) has changed nothing")
  }
}

func check(_ delta: ModelDelta<Header, Row>) {
  let copy = coded(delta)
  expect(copy.update == delta.update && copy.models == delta.models, "models are kept")
  guard
    var list = held(
      FollowedModels<Header, Row>(), before: delta.base,
      { list, reset in
        let models = try JSONDecoder().decode(ModelDelta<Header, Row>.self, from: reset)
        try list.apply(models)
      })
  else { return }
  let (snapshot, token) = (list.snapshot, list.token)
  do throws(DeltaError) {
    let batch = try list.apply(delta)
    for index in 0..<list.snapshot.numberOfSections {
      let items =
        list.snapshot.outline(ofSectionAt: index)?.items
        ?? Array(list.snapshot.items(inSectionAt: index))
      for item in items { expect(list.model(for: item)?.id == item, "\(item) has a model") }
    }
    expect(batch.update.snapshot == list.snapshot, "the batch leads to the list")
    expect(batch.removedItems.allSatisfy { list.model(for: $0) == nil }, "no model is left over")
  } catch {
    expect(list.snapshot == snapshot && list.token == token, "\(error) has changed nothing")
    expect(list.snapshot.itemIdentifiers.allSatisfy { list.model(for: $0) != nil }, "models stay")
  }
}

/// A list that holds the state that a delta starts from: `A[1 2 3] B[4]` and an outline that hides 6.
private func held<List>(
  _ list: List, before base: ResumeToken?, _ apply: (inout List, Data) throws -> Void
) -> List? {
  guard let base else { return list }
  let token = String(decoding: (try? JSONEncoder().encode(base)) ?? Data(), as: UTF8.self)
  let reset = """
    {"format":1,"target":\(token),"counts":{"sections":3,"items":7},"sections":[
     {"id":"A","items":[1,2,3]},{"id":"B","items":[4]},
     {"id":"C","outline":[{"id":5},{"id":6,"level":1},{"id":7,"expanded":true},{"id":8,"level":1}]}],
     "models":[\((1...8).map { "{\"id\":\($0),\"text\":0}" }.joined(separator: ","))],
     "sectionModels":[{"id":"A","model":1}]}
    """
  var list = list
  // The base may be any text, and no list has a state of that name.
  return (try? apply(&list, Data(reset.utf8))) == nil ? nil : list
}

private func held(
  _ list: FollowedList<String, Int>, before base: ResumeToken?,
  _ apply: (inout FollowedList<String, Int>, UpdateDelta<String, Int>) throws -> Void
) -> FollowedList<String, Int>? {
  held(list, before: base) { list, reset in
    try apply(&list, JSONDecoder().decode(UpdateDelta<String, Int>.self, from: reset))
  }
}

private func check(_ batch: UpdateBatch<String, Int>, of list: FollowedList<String, Int>) {
  expect(batch.snapshot == list.snapshot, "the batch leads to the list")
  expectResult("the list is valid") { try list.snapshot.validate() }
  for index in 0..<list.snapshot.numberOfSections {
    guard let outline = list.snapshot.outline(ofSectionAt: index) else { continue }
    expect(
      outline.visibleItems == Array(list.snapshot.items(inSectionAt: index)),
      "a section has the items that its outline shows")
  }
  check(batch)
  // What was followed can be sent on.
  var other = FollowedList<String, Int>()
  var reset = batch
  (reset.base, reset.previousSnapshot, reset.difference) = (nil, nil, SnapshotDifference())
  _ = expectResult("a reset always fits") { try other.apply(coded(UpdateDelta(reset))) }
  expect(other.snapshot == list.snapshot, "a reset holds the state")
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
        let event = try? ServerSentEvent(
          id: event.lastEventID, name: event.name, data: event.data)
      else { fatalError("\(event) cannot be written") }
      written += event.bytes
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

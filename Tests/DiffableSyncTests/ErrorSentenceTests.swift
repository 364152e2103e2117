import Diffable
import DiffableSync
import Testing

/// What a person reads of an error.
@Suite("Errors are whole sentences, and say whether anything was changed")
struct ErrorSentenceTests {
  /// All errors that pass on a reason.
  private func errors(because reason: String) -> [(error: any Error, text: String)] {
    let (id, revision) = (WriteID(), Revision(7))
    let lost = RevisionLogError.unavailable(reason: reason)
    return [
      (DeltaError.misfit(reason: reason), "The delta does not fit: odd. Nothing was changed."),
      (
        DeltaError.undecodable(reason: reason),
        "The text is not a delta: odd. Nothing was changed."
      ),
      (lost, "The log did not answer: odd."),
      (RevisionLogError.rejected(reason: reason), "The log rejected the request: odd."),
      (RevisionLogError.notDone(reason: reason), "The log did not do it: odd."),
      (ReplicationError.log(lost), "The log did not answer: odd."),
      (
        ReplicationError.rejected(reason: reason),
        "The change cannot be put into the log: odd. Nothing was changed."
      ),
      (
        ReplicationError.unknownFate(id, reason: reason),
        "The log did not answer, so it is unknown whether the change “\(id)” was made: odd."
      ),
      (
        ReplicationError.skippedEntry(revision, reason: reason),
        "The entry of \(revision) is skipped: odd."
      ),
      (
        ReplicationError.unreadableEntry(revision, .misfit(reason: reason)),
        "The entry of \(revision) cannot be applied, so the list waits before it: "
          + "The delta does not fit: odd. Nothing was changed."
      ),
      (
        ReplicationError.unreadableState(revision, .misfit(reason: reason)),
        "The stored state of \(revision) cannot be used: The delta does not fit: odd. "
          + "Nothing was changed."
      ),
    ]
  }

  @Test(
    "A reason may end with a full stop or not, or as a question or a call",
    arguments: ["odd", "odd.", "odd?", "odd!"])
  func reasons(reason: String) {
    let end = reason == "odd" ? "odd." : reason
    for (error, text) in errors(because: reason) {
      #expect("\(error)" == text.replacing("odd.", with: end))
    }
  }

  @Test("Errors with numbers and names")
  func numbers() {
    let token = ResumeToken(epoch: Epoch(), revision: Revision(3))
    let errors: [(error: any Error, text: String)] = [
      (DeltaError.tooLong(limit: 5), "The text is longer than 5 bytes. Nothing was changed."),
      (
        DeltaError.tooDeep(limit: 5),
        "The text is nested deeper than 5 levels. Nothing was changed."
      ),
      (
        DeltaError.tooManyElements(count: 9, limit: 5),
        "There are 9 elements, but at most 5 are allowed. Nothing was changed."
      ),
      (
        DeltaError.unknownFormat(2),
        "The delta has format 2, but this version reads format 1 only. Nothing was changed."
      ),
      (
        DeltaError.wrongBase(expected: token, found: nil),
        "The delta starts from no state, but the mirror has “\(token)”. Nothing was changed."
      ),
      (
        DeltaError.wrongBase(expected: nil, found: token),
        "The delta starts from “\(token)”, but the mirror has no state. Nothing was changed."
      ),
      (
        ReplicationError.timedOut(after: .seconds(5)),
        "The change was not made within \(Duration.seconds(5)). Nothing was changed. Try again."
      ),
      (
        ReplicationError.contention(tries: 5),
        "Other participants changed the list each of 5 times. Nothing was changed. Try again."
      ),
      (
        ReplicationError.forked(Revision(1)),
        "The log has lost entries that it had accepted: its \(Revision(1)) is another one than that of "
          + "this source, which stops there. Open the list again to follow the log, and compare it with "
          + "this one to find what was lost."
      ),
      (EventStreamError.lineTooLong(limit: 5), "A line of the stream is longer than 5 bytes."),
      (EventStreamError.eventTooLong(limit: 5), "The data of an event is longer than 5 bytes."),
      (
        EventStreamError.unwritable("id"),
        "The id of an event has characters that a stream of events cannot carry."
      ),
      (
        EventStreamError.silent(.seconds(5)),
        "Nothing has arrived for \(Duration.seconds(5)), not even a heartbeat."
      ),
    ]
    for (error, text) in errors { #expect("\(error)" == text) }
  }

  @Test("Eight of many identifiers are named", arguments: [1, 8, 9, 20])
  func lists(count: Int) {
    let ids = (1...count).map { AnyItemID($0) }
    var names = (1...min(count, 8)).map { "“\($0)”" }.joined(separator: ", ")
    if count > 8 { names += " and \(count - 8) more" }
    let errors: [(error: DeltaError, text: String)] = [
      (.duplicateItems(ids), "The list would have these items twice: \(names)."),
      (.duplicateSections(ids), "The list would have these sections twice: \(names)."),
      (.missingModels(ids), "There is no model for \(names)."),
    ]
    for (error, text) in errors {
      #expect(error.description == text + " Nothing was changed.")
      let refusal = Refusal(error)
      #expect(refusal.description == error.description && refusal.code == error.code)
    }
  }

  @Test("The reason of a refusal is cut after 1,000 characters", arguments: [999, 1_000, 1_001])
  func longReasons(count: Int) {
    let start = "The delta does not fit: "
    let reason = String(repeating: "x", count: count - start.count - 1)
    let error = DeltaError.misfit(reason: reason)
    #expect(error.description == "\(start)\(reason). Nothing was changed.")
    let cut = count > 1_000 ? String("\(start)\(reason)".prefix(1_000)) + "…" : "\(start)\(reason)."
    #expect(Refusal(error).reason == cut + " Nothing was changed.")
  }
}

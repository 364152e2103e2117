import Diffable
import DiffableSync
import Foundation

/// Processes input lines, one after another.
///
/// A snapshot is answered with its changes, white space with nothing, anything else with an error.
/// A data source holds the state between two lines; the changes come from its stream.
struct StreamSession {
  private let options: StreamOptions
  private let source: DataSourceActor<String, String>
  private var batches: AsyncStream<UpdateBatch<String, String>>.Iterator
  private var lineNumber = 0
  /// The batch of the last answer; `nil` before the first.
  private var answered: UpdateBatch<String, String>?
  /// Whether any line was answered with an error.
  private(set) var hasFailed = false

  init(options: StreamOptions) throws {
    self.options = options
    source = DataSourceActor(options: SourceOptions(epoch: options.epoch ?? Epoch()))
    batches = source.updates().makeAsyncIterator()
  }

  /// The answer to the next line, without a line feed; `nil` for a line of white space.
  nonisolated(nonsending)
    mutating func answer(_ line: ArraySlice<UInt8>) async throws -> [UInt8]?
  {
    lineNumber += 1
    guard !line.allSatisfy(isJSONSpace) else { return nil }
    do {
      return try await answer(StreamSession.snapshot(in: line))
    } catch let fault as LineFault {
      hasFailed = true
      return text(for: fault).bytes
    }
  }

  private static func snapshot(
    in line: ArraySlice<UInt8>
  ) throws(LineFault) -> Snapshot<String, String> {
    // The decoder would guess UTF-16 and UTF-32, and repair invalid UTF-8.
    guard line.isValidUTF8 else { throw .invalidUTF8 }
    do {
      return try JSONDecoder().decode(Snapshot<String, String>.self, from: Data(line))
    } catch {
      throw LineFault(decoding: error)
    }
  }

  nonisolated(nonsending)
    private mutating func answer(_ snapshot: Snapshot<String, String>) async throws -> [UInt8]
  {
    let revision: Revision
    do {
      revision = try await source.apply(snapshot)
    } catch .invalidSnapshot(let error) {
      throw LineFault.refused(error)
    }
    // Without a change there is no batch; but the first batch is the state, whatever it is.
    if let answered, revision == answered.target { return try text(forNothingAfter: answered) }
    guard let batch = await batches.next(isolation: #isolation) else {
      throw DataSourceError.finished
    }
    answered = batch
    return try text(for: batch)
  }

  private func text(for batch: UpdateBatch<String, String>) throws -> [UInt8] {
    guard let profile = options.stages else { return try StreamSession.encoded(UpdateDelta(batch)) }
    var text = JSONText()
    text.object { members in
      guard let base = batch.base else {
        members.key("base") { $0.null() }
        members.key("target") { $0.number(batch.target.number) }
        members.key("snapshot") { $0.snapshot(batch.snapshot) }
        return
      }
      members.key("base") { $0.number(base.number) }
      members.key("target") { $0.number(batch.target.number) }
      members.key("stages") { text in
        text.array(batch.stages(for: profile.listProfile)) { text, stage in
          text.object { members in
            members.changes(stage.difference)
            members.key("snapshot") { $0.snapshot(stage.snapshot) }
          }
        }
      }
    }
    return text.bytes
  }

  /// The answer to a line that changes nothing: a delta from the last state to the same state.
  private func text(forNothingAfter last: UpdateBatch<String, String>) throws -> [UInt8] {
    var batch = last
    batch.base = last.target
    batch.previousSnapshot = last.snapshot
    batch.difference = SnapshotDifference()
    batch.presentation = .animated
    (batch.droppedItems, batch.droppedSections) = ([], [])
    return try text(for: batch)
  }

  /// JSON on one line, with its keys in a fixed order.
  private static func encoded(_ delta: UpdateDelta<String, String>) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(delta))
  }

  private func text(for fault: LineFault) -> JSONText {
    var text = JSONText()
    text.object { members in
      members.key("line") { $0.number(lineNumber) }
      members.key("error") { $0.string(fault.code) }
      members.key("identifiers") { $0.strings(fault.identifiers) }
      members.key("message") { $0.string(fault.message) }
    }
    return text
  }
}

/// White space as JSON defines it; a line cannot contain a line feed.
func isJSONSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0D
}

extension ArraySlice<UInt8> {
  /// Whether all bytes are valid UTF-8.
  var isValidUTF8: Bool {
    String(validating: self, as: UTF8.self) != nil
  }
}

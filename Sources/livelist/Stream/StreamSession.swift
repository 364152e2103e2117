import Diffable
import DiffableSync
import DiffableTerminal
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
      return try Self.encoded(
        RefusedLine(
          line: lineNumber, error: fault.code, identifiers: fault.identifiers,
          message: fault.message))
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
      revision = try await source.apply(snapshot).revision
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
    guard let profile = options.stages else { return try Self.encoded(UpdateDelta(batch)) }
    return try Self.encoded(StagedLine(batch, for: profile))
  }

  /// The answer to a line that changes nothing: a delta from the last state to the same state.
  private func text(forNothingAfter last: UpdateBatch<String, String>) throws -> [UInt8] {
    // What writers have noted, such as renames, belongs to the last change.
    let nothing = UpdateBatch(
      epoch: last.epoch, base: last.target, target: last.target, difference: SnapshotDifference(),
      previousSnapshot: last.snapshot, snapshot: last.snapshot, presentation: .animated)
    return try text(for: nothing)
  }

  /// JSON on one line, with its keys in alphabetical order.
  private static func encoded(_ line: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try JSONText.harmless(encoder.encode(line))
  }
}

/// JSON that may be read at a terminal.
enum JSONText {
  /// The same JSON, in which characters that could control a terminal are written as escapes.
  ///
  /// Such characters occur only inside strings, and the encoder escapes some of them itself.
  static func harmless(_ json: Data) -> [UInt8] {
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: \.isControl) else { return Array(json) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.isControl {
        for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return Array(escaped.utf8)
  }
}

/// A change as stages, or the first state.
private struct StagedLine: Encodable {
  struct Stage: Encodable {
    let difference: SnapshotDifference
    let snapshot: Snapshot<String, String>
  }

  let base: Int?
  let target: Int
  /// The state, if the line says nothing of an earlier one.
  let snapshot: Snapshot<String, String>?
  let stages: [Stage]?

  init(_ batch: UpdateBatch<String, String>, for profile: ListProfile) {
    (base, target) = (batch.base?.number, batch.target.number)
    snapshot = batch.base == nil ? batch.snapshot : nil
    stages =
      batch.base == nil
      ? nil
      : batch.stages(for: profile).map {
        Stage(difference: $0.difference, snapshot: $0.snapshot)
      }
  }
}

/// A line that was not accepted.
private struct RefusedLine: Encodable {
  let line: Int
  let error: String
  let identifiers: [String]
  let message: String
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

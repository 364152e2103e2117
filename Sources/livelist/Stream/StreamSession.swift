import Diffable
import Foundation

/// Answers input lines one after the other: a snapshot with what it changes, anything else with an
/// error, white space with nothing.
///
/// The state between two lines is a data source's; what changed comes out of its stream.
struct StreamSession {
  private let options: StreamOptions
  private let source: DataSourceActor<String, String>
  private var batches: AsyncStream<UpdateBatch<String, String>>.Iterator
  private var lineNumber = 0
  /// The revision that the last answer led to; `nil` before the first.
  private var answered: Revision?
  /// Whether any line was answered with an error.
  private(set) var hasFailed = false

  init(options: StreamOptions) throws {
    self.options = options
    source = try DataSourceActor()
    batches = source.updates().makeAsyncIterator()
  }

  /// The answer to the next line, without a line feed at its end; `nil` for one of white space.
  nonisolated(nonsending)
    mutating func answer(_ line: ArraySlice<UInt8>) async throws -> [UInt8]?
  {
    lineNumber += 1
    guard !line.allSatisfy(isJSONSpace) else { return nil }
    do {
      return try await answer(StreamSession.snapshot(in: line)).bytes
    } catch let fault as LineFault {
      hasFailed = true
      return text(for: fault).bytes
    }
  }

  private static func snapshot(
    in line: ArraySlice<UInt8>
  ) throws(LineFault) -> Snapshot<String, String> {
    // The decoder would guess at UTF-16 and UTF-32, and repair what is not UTF-8.
    guard line.isValidUTF8 else { throw .invalidUTF8 }
    do {
      return try JSONDecoder().decode(Snapshot<String, String>.self, from: Data(line))
    } catch {
      throw LineFault(decoding: error)
    }
  }

  nonisolated(nonsending)
    private mutating func answer(_ snapshot: Snapshot<String, String>) async throws -> JSONText
  {
    let revision: Revision
    do {
      revision = try await source.apply(snapshot)
    } catch .invalidSnapshot(let error) {
      throw LineFault.refused(error)
    }
    // What changed nothing makes no batch; but the first batch is the state, whatever it is.
    if revision == answered { return text(forNothingAt: revision) }
    guard let batch = await batches.next(isolation: #isolation) else {
      throw DataSourceError.finished
    }
    answered = batch.target
    return text(for: batch)
  }

  private func text(for batch: UpdateBatch<String, String>) -> JSONText {
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
      guard let profile = options.stages else { return members.changes(batch.difference) }
      members.key("stages") { text in
        text.array(batch.stages(for: profile.listProfile)) { text, stage in
          text.object { members in
            members.changes(stage.difference)
            members.key("snapshot") { $0.snapshot(stage.snapshot) }
          }
        }
      }
    }
    return text
  }

  private func text(forNothingAt revision: Revision) -> JSONText {
    var text = JSONText()
    text.object { members in
      members.key("base") { $0.number(revision.number) }
      members.key("target") { $0.number(revision.number) }
      if options.stages == nil {
        members.changes(SnapshotDifference())
      } else {
        members.key("stages") { $0.strings([]) }
      }
    }
    return text
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

/// White space as JSON means it; a line feed cannot stand in a line.
private func isJSONSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0D
}

extension ArraySlice<UInt8> {
  fileprivate var isValidUTF8: Bool {
    String(validating: self, as: UTF8.self) != nil
  }
}

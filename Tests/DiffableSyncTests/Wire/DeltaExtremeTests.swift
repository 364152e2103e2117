import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import Testing
import TestScope

/// What a decoder is sent may name more positions than memory can hold, in a few bytes.
///
/// The tests run in a process of their own that may use little time and memory, so a range that is
/// expanded before it is checked is a failure and not a machine that hangs.
@Suite("A text costs no more than its length and the list, whatever its numbers")
struct DeltaExtremeTests {
  @Test("Every number of a delta, alone and with every other")
  func deltas() async {
    await #expect(processExitsWith: .success) {
      Allowance.seconds(120).take()
      for text in DeltaFields.texts(usual: 97, wide: 7) { try await DeltaFields.check(delta: text) }
    }
  }

  @Test("Every number of a proposal, alone and with every other")
  func proposals() async {
    await #expect(processExitsWith: .success) {
      Allowance.seconds(120).take()
      for text in DeltaFields.texts(usual: 307, wide: 13) {
        try await DeltaFields.check(proposal: text)
      }
    }
  }

  @Test("Every number of a difference")
  func differences() async {
    await #expect(processExitsWith: .success) {
      Allowance.seconds(120).take()
      for text in DeltaFields.texts(usual: 197, wide: 5) { try DeltaFields.check(difference: text) }
    }
  }

  @Test("The sums of lengths are greater than any number")
  func sums() async {
    await #expect(processExitsWith: .success) {
      Allowance.seconds(120).take()
      let most = (0..<600).map { "[\($0),0,9007199254740991]" }.joined(separator: ",")
      for (first, second) in [
        ("itemDeletes", "itemReloads"), ("itemInserts", "itemReconfigures"),
        ("itemInserts", "itemRenames"), ("itemReconfigures", "itemRenames"),
        ("itemReloads", "itemReconfigures"),
      ] {
        let text = DeltaFields.Text(difference: "\"\(first)\":[\(most)],\"\(second)\":[\(most)]")
        try await DeltaFields.check(delta: text)
        try DeltaFields.check(difference: text)
      }
    }
  }

  @Test("Every pair of revisions")
  func revisions() async throws {
    let most = (1 << 53) - 2
    let numbers = [0, 1, 2, most - 1, most, most + 1, .max]
    func token(_ number: Int) -> ResumeToken {
      ResumeToken(epoch: Epoch(high: 1, low: 2), revision: Revision(number))
    }
    for base in numbers {
      for target in numbers {
        let mirror = MirrorSource<UpdateBatch<String, Int>>()
        func apply(_ json: String) async throws(DeltaError) {
          _ = try await mirror.apply(json.utf8) {
            try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
          }
        }
        let counts = #""counts":{"sections":0,"items":0}"#
        let isPossible = base <= target && target <= most
        do throws(DeltaError) {
          try await apply(#"{"format":1,"target":"\#(token(base))",\#(counts)}"#)
          try await apply(
            #"{"format":1,"base":"\#(token(base))","target":"\#(token(target))",\#(counts)}"#)
          #expect(isPossible, "\(base) to \(target)")
        } catch {
          #expect(!isPossible, "\(base) to \(target): \(error)")
        }
      }
    }
  }

  @Test("The table has every field")
  func everyField() throws {
    func fields(_ value: Any) -> Set<String> {
      Set(Mirror(reflecting: value).children.compactMap(\.label))
    }
    #expect(Set(DeltaFields.difference.map(\.name)) == fields(SnapshotDifference()))
    let delta = try DeltaFields.decoded(DeltaFields.Text(difference: ""))
    // What is not listed here has identifiers and no numbers.
    let others: Set = [
      "frame", "sections", "items", "renamedItems", "placed", "droppedItems", "droppedSections",
    ]
    #expect(fields(delta) == others.union(["outlines"]))
    let frame = try #require(
      Mirror(reflecting: delta).children.first { $0.label == "frame" }?.value)
    let named: Set = ["proposal", "base", "target", "presentation", "accepted"]
    #expect(fields(frame) == named.union(["difference", "counts"]))
    let counts = try #require(
      Mirror(reflecting: frame).children.first { $0.label == "counts" }?.value)
    let known = try #require(Mirror(reflecting: counts).children.first?.value)
    #expect(fields(known) == ["sections", "items"])
    #expect(DeltaFields.rest.map(\.name) == ["sections", "items", "splices", "outline"])
  }
}

/// What the process of a test may use.
struct Allowance {
  let seconds: Int

  static func seconds(_ seconds: Int) -> Allowance { Allowance(seconds: seconds) }

  /// Lets the system end this process when it has used more processor time, or asks for 2 GB.
  func take() {
    #if canImport(Glibc)
    let (time, memory) = (RLIMIT_CPU.rawValue, RLIMIT_DATA.rawValue)
    let resources = (__rlimit_resource_t(time), __rlimit_resource_t(memory))
    #else
    let resources = (RLIMIT_CPU, RLIMIT_DATA)
    #endif
    for (resource, most) in [(resources.0, seconds), (resources.1, 2 << 30)] {
      var limit = rlimit()
      (limit.rlim_cur, limit.rlim_max) = (rlim_t(most), rlim_t(most))
      setrlimit(resource, &limit)
    }
  }
}

/// The fields of the format that have numbers, each with a value that fits `held`.
enum DeltaFields {
  struct Field: Sendable {
    let name: String
    let value: String
  }

  /// `A[1 2 3] B[4 5] C{6 {7}, 8}`, where 7 is hidden, and `D[]`.
  static let held = """
    {"id":"A","items":[1,2,3]},{"id":"B","items":[4,5]},
    {"id":"C","outline":[{"id":6},{"id":7,"level":1},{"id":8}]},{"id":"D","items":[]}
    """

  static let difference = [
    Field(name: "sectionDeletes", value: "[[3,4]]"),
    Field(name: "sectionInserts", value: "[[4,5]]"),
    Field(name: "sectionMoves", value: #"[{"from":0,"to":1}]"#),
    Field(name: "sectionReloads", value: "[[1,2]]"),
    Field(name: "sectionReconfigures", value: "[[0,1]]"),
    Field(name: "itemDeletes", value: "[[0,2,3]]"), Field(name: "itemInserts", value: "[[0,0,1]]"),
    Field(
      name: "itemMoves",
      value: #"[{"from":{"section":0,"item":0},"to":{"section":1,"item":1}}]"#),
    Field(name: "itemReloads", value: "[[0,1,2]]"),
    Field(name: "itemReconfigures", value: "[[1,0,1]]"),
    Field(name: "itemRenames", value: "[[1,0,1]]"), Field(name: "outlineChanges", value: "[[2,3]]"),
  ]

  /// The others, by the names of their members in ``Text``.
  static let rest = [
    Field(name: "sections", value: "4"), Field(name: "items", value: "7"),
    Field(name: "splices", value: #"[{"at":0,"remove":1,"rows":[{"id":6,"level":0}]}]"#),
    Field(name: "outline", value: #"[{"id":6},{"id":7,"level":1},{"id":8,"level":0}]"#),
  ]

  /// The parts of a delta that differ.
  struct Text: CustomStringConvertible {
    var difference: String
    var members: [String: String] = [:]

    func has(_ field: String) -> Bool { difference.contains("\"\(field)\"") }

    var description: String {
      let outline = members["outline"].map { "{\"outline\":\($0)}" }
      let outlines = outline ?? "{\"splices\":\(members["splices"] ?? "[]")}"
      return """
        {"format":1,"base":"\(DeltaFields.base)","target":"\(DeltaFields.target)",
         "difference":{\(difference)},"renamedItems":[{"old":4,"new":14}],
         "items":[\(has("itemInserts") ? "9" : "")],
         "sections":[\(has("sectionInserts") ? #"{"id":"E","items":[10]}"# : "")],
         "outlines":[\(has("outlineChanges") ? outlines : "")],
         "counts":{"sections":\(members["sections"] ?? "4"),"items":\(members["items"] ?? "7")}}
        """
    }
  }

  private static let (base, target) = (
    ResumeToken(epoch: epoch, revision: Revision(1)),
    ResumeToken(epoch: epoch, revision: Revision(2))
  )
  private static let epoch = Epoch(high: 1, low: 2)
  private static let reset = """
    {"format":1,"target":"\(base)","sections":[\(held)],"counts":{"sections":4,"items":7}}
    """

  /// Texts of each pair of fields, with an extreme in each number of one and in each of the other.
  ///
  /// Each number is also changed alone, since the extremes of the other have the number that fits.
  static func texts(usual: Int, wide: Int) -> some Sequence<Text> {
    let fields = difference + rest
    let pairs = fields.indices.flatMap { first in
      fields.indices.filter { $0 >= first }.map { (fields[first], fields[$0]) }
    }
    let texts = pairs.lazy.flatMap { first, second in
      let (values, others) = (variants(of: first), variants(of: second))
      return values.lazy.flatMap { value in
        others.lazy.map { other in text([(first, value)], (second, other)) }
      }
    }
    return texts.enumerated().lazy.filter { isInScope($0.offset, usual: usual, wide: wide) }.map(
      \.element)
  }

  private static func text(_ first: [(Field, String)], _ second: (Field, String)) -> Text {
    var text = Text(difference: "")
    for (field, value) in first.filter({ $0.0.name != second.0.name }) + [second] {
      if rest.contains(where: { $0.name == field.name }) {
        text.members[field.name] = value
        guard ["splices", "outline"].contains(field.name), !text.has("outlineChanges") else {
          continue
        }
        text.difference += (text.difference.isEmpty ? "" : ",") + "\"outlineChanges\":[[2,3]]"
      } else if !text.has(field.name) {
        text.difference += (text.difference.isEmpty ? "" : ",") + "\"\(field.name)\":\(value)"
      }
    }
    return text
  }

  private static let extremes = [
    "-1", "0", "2147483648", "9007199254740990", "9007199254740991", "9007199254740992",
    "9223372036854775807",
  ]

  /// The value itself, and that with each of its numbers replaced by each extreme.
  private static func variants(of field: Field) -> [String] {
    let numbers = field.value.matches(of: /[0-9]+/)
    return [field.value]
      + numbers.flatMap { number in
        extremes.map { field.value.replacingCharacters(in: number.range, with: $0) }
      }
  }

  // MARK: Laws

  static func decoded(_ text: Text) throws -> UpdateDelta<String, Int> {
    try UpdateDelta.read("\(text)".utf8) {
      try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
    }
  }

  /// A mirror refuses a text and keeps its list, or does what the text says.
  static func check(delta text: Text) async throws {
    let mirror = MirrorSource<UpdateBatch<String, Int>>()
    try await mirror.apply(reset.utf8) {
      try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
    }
    let before = await mirror.snapshot
    do throws(DeltaError) {
      _ = try await mirror.apply("\(text)".utf8) {
        try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
      }
      let object = try? JSONSerialization.jsonObject(with: Data("\(text)".utf8)) as? [String: Any]
      let (expected, found) = (object.flatMap(NaiveList(before).applying), await mirror.snapshot)
      #expect(expected?.text == NaiveList(found).text, "\(text)")
    } catch {
      #expect(await mirror.snapshot == before, "\(text)")
      #expect(!error.description.isEmpty)
    }
  }

  /// A source refuses a proposal and keeps its list, or does what the text says, also if others have changed
  /// the list.
  static func check(proposal text: Text) async throws {
    guard text.members["sections"] == nil, text.members["items"] == nil else { return }
    let proposal = "\(text)"
      .replacing("\"target\":\"\(target)\"", with: "\"id\":\"AAAAAAAAAAAAAAAAAAAAAQ\"")
      .replacing(/,\s*"counts":.*/, with: "}")
    let list = try JSONDecoder().decode(
      Snapshot<String, Int>.self, from: Data("{\"sections\":[\(held)]}".utf8))
    for hasOthers in [false, true] {
      let source = try DataSourceActor(list, options: SourceOptions(epoch: epoch))
      if hasOthers {
        try await source.update { snapshot in
          snapshot.deleteItems([1])
          try snapshot.moveItem(8, toSection: "D")
          try snapshot.moveSection("B", beforeSection: "A")
        }
      }
      let before = await source.snapshot
      do throws(DeltaError) {
        let proposal = try Proposal<UpdateBatch<String, Int>>.read(proposal.utf8) {
          try JSONDecoder().decode(Proposal.self, from: Data($0))
        }
        switch try? await source.accept(proposal, { _, _ in }) {
        case .accepted: break
        case .refused: #expect(await source.snapshot == before, "\(proposal)")
        case .unknownBase, nil: Issue.record("\(proposal)")
        }
      } catch {
        #expect(await source.snapshot == before, "\(proposal)")
        continue
      }
      let found = await source.snapshot
      try found.validate()
      guard !hasOthers, found != before else { continue }
      let object = try? JSONSerialization.jsonObject(with: Data(proposal.utf8)) as? [String: Any]
      #expect(object.flatMap(NaiveList(before).applying)?.text == NaiveList(found).text, "\(text)")
    }
  }

  /// A difference is refused, or can be turned round, and is replayed or refused.
  static func check(difference text: Text) throws {
    func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
      do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch {
        #expect(error is DecodingError, "\(text)")
        return nil
      }
    }
    if let difference = decoded(SnapshotDifference.self, "{\(text.difference)}") {
      #expect(difference.inverse.inverse == difference, "\(text)")
      #expect(difference.changeCount >= 0 && !difference.description.isEmpty)
      let list = try JSONDecoder().decode(
        Snapshot<String, Int>.self, from: Data("{\"sections\":[\(held)]}".utf8))
      _ = try? list.applying(difference, insertsFrom: list)
    }
    if let splices = text.members["outline"] { _ = decoded(Outline<Int>.self, splices) }
  }
}

import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

/// What does not fit is a typed error, and nothing has changed.
@Suite("A delta that does not fit is refused, and the list is what it was") struct UnfitDeltaTests {
  typealias Delta = UpdateDelta<String, Int>
  typealias List = Mirrored<UpdateBatch<String, Int>>

  private static let epoch = Epoch()

  static func token(_ revision: Int) -> String {
    "\"\(ResumeToken(epoch: epoch, revision: Revision(revision)))\""
  }

  private static func read(_ json: String) throws(DeltaError) -> Delta {
    try Delta.read(json.utf8) { try JSONDecoder().decode(Delta.self, from: Data($0)) }
  }

  /// `A[1 2 3] B[4] C{5 {6}, 7}` at revision 1: C is an outline, and 6 is hidden.
  static func held() async throws -> List {
    var list = List()
    try await list.apply(read(reset))
    return list
  }

  private static let reset = """
    {"format":1,"target":\(token(1)),"presentation":"reset","sections":[
      {"id":"A","items":[1,2,3]},{"id":"B","items":[4]},
      {"id":"C","outline":[{"id":5},{"id":6,"level":1},{"id":7}]}],
     "counts":{"sections":3,"items":6}}
    """

  /// A delta from the state that is held.
  private static func change(_ members: String, sections: Int = 3, items: Int = 6) -> String {
    """
    {"format":1,"base":\(token(1)),"target":\(token(2)),
     "counts":{"sections":\(sections),"items":\(items)},\(members)}
    """
  }

  private func refusal(_ json: String) async throws -> DeltaError? {
    var list = try await Self.held()
    let (snapshot, revision) = await (list.snapshot, list.mirror.revision)
    do throws(DeltaError) {
      _ = try await list.mirror.apply(json.utf8) {
        try JSONDecoder().decode(Delta.self, from: Data($0))
      }
      return nil
    } catch {
      let after = await (list.snapshot, list.mirror.revision)
      #expect(after == (snapshot, revision), "\(json)")
      #expect(error.description.hasSuffix("Nothing was changed."))
      // It asks for a reset, and takes what fits as if nothing had happened.
      #expect(await list.token == nil, "\(json)")
      #expect(try await list.apply(Self.read(Self.reset)) == nil, "the same state is no change")
      #expect(await list.token != nil)
      let change = try Self.read(Self.change(#""difference":{"itemReloads":[[0,0,1]]}"#))
      let shown = try await list.apply(change)
      #expect(shown?.difference.itemReloads.count == 1)
      // Once more it says nothing new.
      #expect(try await list.apply(change) == nil)
      #expect(await list.token == change.target)
      return error
    }
  }

  private func expect(
    _ json: String, _ code: String, _ words: String = "Nothing was changed",
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let error = try await refusal(json)
    #expect(
      error?.code == code, "\(json): \(error?.description ?? "nothing")", sourceLocation: location)
    #expect(
      error?.description.contains(words) == true, "\(json): \(error?.description ?? "nothing")",
      sourceLocation: location)
  }

  @Test func `Texts`() async throws {
    try await expect("", "undecodable")
    try await expect("[]", "undecodable")
    try await expect("{}", "undecodable", "“format” is missing")
    try await expect(#"{"format":2,"target":"x"}"#, "unknownFormat", "format 2")
    try await expect(#"{"format":1}"#, "undecodable", "“target” is missing")
    try await expect(#"{"format":1,"target":7}"#, "undecodable", "$.target")
    try await expect(
      #"{"format":1,"target":"x","counts":{"sections":0,"items":0}}"#, "misfit", "not a token")
    try await expect(
      Self.change(#""difference":{"sectionDeletes":[[1,0]]}"#), "undecodable", "not a range")
    try await expect(Self.change(#""outlines":[{}]"#), "undecodable", "neither")
    try await expect(
      Self.change(#""sections":[{"id":"A"},{}]"#), "undecodable",
      "“id” is missing at $.sections[1]")
    try await expect(
      Self.change(#""outlines":[{"splices":[{"at":0,"remove":1},{"at":1,"remove":1}]}]"#),
      "undecodable", "Splices must ascend")
    try await expect(
      #"{"format":1,"target":\#(Self.token(2)),"items":[9],"counts":{"sections":0,"items":0}}"#,
      "misfit", "a reset has no difference")
    #expect(
      try await refusal(Self.change(#""unknown":{"a":[1]},"difference":{"colour":7}"#)) == nil)
  }

  @Test func `Bases`() async throws {
    func delta(_ base: Int, _ target: Int) -> String {
      """
      {"format":1,"base":\(Self.token(base)),"target":\(Self.token(target)),
       "counts":{"sections":3,"items":6}}
      """
    }
    try await expect(delta(2, 3), "wrongBase")
    try await expect(delta(0, 2), "wrongBase")
    try await expect(delta(2, 0), "misfit", "older than the base")
    #expect(try await refusal(delta(0, 1)) == nil, "the list has had it")
    try await expect(delta(1, 0), "misfit", "older than the base")
    #expect(try await refusal(delta(1, 1)) == nil)
    #expect(try await refusal(delta(1, 9)) == nil)
    let other = ResumeToken(epoch: Epoch(), revision: Revision(2))
    try await expect(
      """
      {"format":1,"base":\(Self.token(1)),"target":"\(other)","counts":{"sections":3,"items":6}}
      """, "misfit", "of another list")
    let empty = List()
    let json = delta(1, 2)
    await #expect(throws: DeltaError.self) { try await empty.mirror.apply(Self.read(json)) }
    #expect(await empty.token == nil)
    #expect(await empty.snapshot.numberOfSections == 0)
  }

  @Test func `Positions and counts`() async throws {
    func expect(_ difference: String, _ words: String, rest: String = "") async throws {
      try await self.expect(
        Self.change(#""difference":{\#(difference)}\#(rest)"#), "misfit", words)
    }
    try await expect(#""itemDeletes":[[0,3,4]]"#, "itemDeletes names items 3..<4 of section 0")
    try await expect(#""sectionDeletes":[[3,4]]"#, "sectionDeletes names sections 3..<4")
    try await expect(
      #""itemInserts":[[0,0,2]]"#, "its number of items is 1, but its difference needs 2",
      rest: #","items":[9]"#)
    try await expect(
      #""itemInserts":[[0,0,9007199254740991]]"#,
      "its number of items is 1, but its difference needs 9007199254740991", rest: #","items":[9]"#)
    try await expect(
      #""itemDeletes":[[0,0,1]]"#, "its number of counted items is 6, but its difference needs 5")
    try await expect(
      #""sectionInserts":[[0,1]]"#, "its number of sections is 0, but its difference needs 1")
    try await expect(
      #""sectionInserts":[[0,1]]"#,
      "its number of counted sections is 3, but its difference needs 4",
      rest: #","sections":[{"id":"D"}]"#)
    try await expect(
      #""outlineChanges":[[2,3]]"#, "its number of outlines is 0, but its difference needs 1")
  }

  /// Each kind of position alone, at the first place that there is not, with what else such a change
  /// needs.
  @Test(
    "A position behind the last one is told, whatever its kind",
    arguments: [
      ("sectionDeletes", "[[3,4]]", ""),
      ("sectionInserts", "[[4,5]]", #"},"sections":[{"id":"D"}"#),
      ("sectionReloads", "[[3,4]]", ""), ("sectionReconfigures", "[[3,4]]", ""),
      ("outlineChanges", "[[3,4]]", #"},"outlines":[{"list":true}"#),
      ("sectionMoves", #"[{"from":3,"to":0}]"#, ""), ("sectionMoves", #"[{"from":0,"to":3}]"#, ""),
      ("itemDeletes", "[[1,1,2]]", ""), ("itemInserts", "[[1,2,3]]", #"},"items":[9"#),
      ("itemReloads", "[[1,1,2]]", ""), ("itemReconfigures", "[[1,1,2]]", ""),
      ("itemMoves", #"[{"from":{"section":1,"item":1},"to":{"section":0,"item":0}}]"#, ""),
      ("itemMoves", #"[{"from":{"section":0,"item":0},"to":{"section":1,"item":2}}]"#, ""),
      // A row that gets another name is updated, here with its section.
      ("itemRenames", "[[1,1,2]]", #","sectionReloads":[[1,2]]"#),
    ])
  func behindTheLast(kind: String, positions: String, rest: String) async throws {
    let end = rest.hasPrefix("}") ? "]" : "}"
    try await expect(
      Self.change(#""difference":{"\#(kind)":\#(positions)\#(rest)\#(end)"#), "misfit",
      "\(kind) name")
  }

  @Test func `Identifiers that would be there twice`() async throws {
    func expect(_ members: String, items: Int, sections: Int = 3, _ code: String) async throws {
      try await self.expect(Self.change(members, sections: sections, items: items), code)
    }
    let insert = #""difference":{"itemInserts":[[0,0,1]]},"items""#
    for item in 1...7 { try await expect(insert + ":[\(item)]", items: 7, "duplicateItems") }
    #expect(try await refusal(Self.change(insert + ":[8]", items: 7)) == nil)
    try await expect(
      #""difference":{"itemInserts":[[0,0,1],[1,0,1]]},"items":[8,8]"#, items: 8, "duplicateItems")
    try await expect(
      #""difference":{"sectionInserts":[[0,1]]},"sections":[{"id":"B"}]"#, items: 6, sections: 4,
      "duplicateSections")
    try await expect(
      #""difference":{"sectionInserts":[[0,2]]},"sections":[{"id":"D"},{"id":"D"}]"#, items: 6,
      sections: 5, "duplicateSections")
    try await expect(
      #""difference":{"sectionInserts":[[0,1]]},"sections":[{"id":"D","items":[6]}]"#, items: 7,
      sections: 4, "duplicateItems")
    // With its section it has gone.
    let exchange = #""difference":{"sectionDeletes":[[1,2]],"sectionInserts":[[0,1]]},"sections""#
    #expect(try await refusal(Self.change(exchange + #":[{"id":"B","items":[4]}]"#)) == nil)
    #expect(try await refusal(Self.change(exchange + #":[{"id":"D","items":[4]}]"#)) == nil)
    try await expect(exchange + #":[{"id":"D","items":[3]}]"#, items: 6, "duplicateItems")
  }

  @Test func `Outlines that are not what they show`() async throws {
    func outline(_ splices: String, _ difference: String = "") -> String {
      #""difference":{"outlineChanges":[[2,3]]\#(difference)},"outlines":[\#(splices)]"#
    }
    func expect(_ members: String, items: Int = 6, _ words: String) async throws {
      try await self.expect(Self.change(members, items: items), "misfit", words)
    }
    let expand = #"{"splices":[{"at":0,"remove":1,"rows":[{"id":5,"expanded":true}]}]}"#
    let shown = #","itemInserts":[[2,1,2]]"#
    #expect(
      try await refusal(Self.change(outline(expand, shown) + #","items":[6]"#, items: 7)) == nil)
    try await expect(outline(expand), "not those that its outline shows")
    try await expect(
      outline(expand, shown) + #","items":[8]"#, items: 7, "not those that its outline")
    try await expect(
      outline(expand, #","itemInserts":[[2,2,3]]"#) + #","items":[6]"#, items: 7, "not those")
    try await expect(outline(#"{"list":true}"#, #","itemDeletes":[[0,0,1]]"#), "counted items")
    #expect(try await refusal(Self.change(outline(#"{"list":true}"#))) == nil)
    // A row that was hidden there may come to another section.
    let elsewhere = outline(#"{"list":true}"#, #","itemInserts":[[0,3,4]]"#) + #","items":[6]"#
    #expect(try await refusal(Self.change(elsewhere, items: 7)) == nil)
    try await expect(outline(#"{"splices":[{"at":3,"remove":1}]}"#), "after row 3")
    try await expect(
      outline(#"{"splices":[{"at":1,"remove":1,"rows":[{"id":6,"level":2}]}]}"#),
      "more than one level")
    try await expect(outline(#"{"splices":[{"at":0,"remove":1}]}"#), "more than one level")
    try await expect(#""difference":{"itemDeletes":[[2,0,1]]}"#, items: 5, "has not changed")
    try await expect(
      #""difference":{"outlineChanges":[[0,1]]},"outlines":[{"splices":[]}]"#, "is a list")
    try await self.expect(
      Self.change(
        outline(#"{"splices":[{"at":3,"rows":[{"id":6}]}]}"#, shown) + #","items":[6]"#, items: 7),
      "duplicateItems")
    try await self.expect(
      Self.change(
        outline(#"{"splices":[{"at":3,"rows":[{"id":1}]}]}"#, #","itemInserts":[[2,2,3]]"#)
          + #","items":[1]"#, items: 7), "duplicateItems")
    // Where it says that 7 goes and 6 comes in its place, it has to be so.
    try await expect(
      outline(expand, #","itemInserts":[[2,1,2]],"itemDeletes":[[2,1,2]]"#) + #","items":[6]"#,
      "not those that its outline shows")
  }

  /// 6 is hidden below 5, in the outline C.
  @Test(
    "What has left the list, seen or not, can come again",
    arguments: [
      (#""difference":{"outlineChanges":[[2,3]]},"outlines":[{"list":true}]"#, 3, 6),
      (
        #""difference":{"outlineChanges":[[2,3]]},"outlines":[{"splices":[{"at":1,"remove":1}]}]"#,
        3, 6
      ),
      (#""difference":{"sectionDeletes":[[2,3]]}"#, 2, 4),
    ])
  func comesAgain(members: String, sections: Int, items: Int) async throws {
    var list = try await Self.held()
    #expect(await list.snapshot.containsItem(6))
    try await list.apply(Self.read(Self.change(members, sections: sections, items: items)))
    #expect(await !list.snapshot.containsItem(6))
    #expect(await list.snapshot.sectionIdentifier(containingItem: 6) == nil)
    try await list.apply(
      Self.read(
        """
        {"format":1,"base":\(Self.token(2)),"target":\(Self.token(3)),
         "counts":{"sections":\(sections),"items":\(items + 1)},
         "difference":{"itemInserts":[[0,0,1]]},"items":[6]}
        """))
    #expect(await list.snapshot.itemPath(for: 6) == ItemPath(section: 0, item: 0))
  }

  @Test func `Limits`() async throws {
    let text = Self.change(#""difference":{"itemReloads":[[0,0,1]]}"#)
    func read(_ limits: DeltaLimits) throws(DeltaError) -> Delta {
      try Delta.read(text.utf8, limits: limits) {
        try JSONDecoder().decode(Delta.self, from: Data($0))
      }
    }
    _ = try read(DeltaLimits(byteCount: text.utf8.count, depth: 4, elementCount: 1))
    #expect(throws: DeltaError.tooLong(limit: text.utf8.count - 1)) {
      try read(DeltaLimits(byteCount: text.utf8.count - 1))
    }
    #expect(throws: DeltaError.tooDeep(limit: 3)) { try read(DeltaLimits(depth: 3)) }
    #expect(throws: DeltaError.tooManyElements(count: 1, limit: 0)) {
      try read(DeltaLimits(elementCount: 0))
    }
    #expect(throws: Never.self) { try DeltaLimits(depth: 1).check(#"["[[[\"[[["]"#.utf8) }
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(throws: DeltaError.tooDeep(limit: 64)) { try DeltaLimits().check(deep.utf8) }
    // U+2200 has a byte that is a quotation mark in UTF-8, so that all after it would seem to be a string.
    for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf16, .utf32] {
      for text in ["\u{2200}\(deep)", "[]"] {
        let bytes = try #require(text.data(using: encoding))
        for limits in [DeltaLimits(), DeltaLimits(depth: 1000)] {
          #expect(throws: DeltaError.self, "\(encoding)") { try limits.check(bytes) }
          #expect(throws: DeltaError.self, "\(encoding)") { try limits.check(AnySequence(bytes)) }
        }
      }
    }
    let small = MirrorSource<UpdateBatch<String, Int>>(limits: DeltaLimits(listCount: 2))
    await #expect(throws: DeltaError.tooManyElements(count: 3, limit: 2)) {
      try await small.apply(
        Self.read(
          """
          {"format":1,"target":\(Self.token(1)),"sections":[{"id":"A","items":[1,2,3]}],
           "counts":{"sections":1,"items":3}}
          """))
    }
    await #expect(throws: DeltaError.tooManyElements(count: 3, limit: 2)) {
      try await small.apply(
        Self.read(
          """
          {"format":1,"target":\(Self.token(1)),"sections":[{"id":"A"},{"id":"B"},{"id":"C"}],
           "counts":{"sections":3,"items":0}}
          """))
    }
    #expect(await small.resumeToken == nil)
  }

  @Test func `Rows that folded ones hide count`() async throws {
    let mirror = MirrorSource<UpdateBatch<String, Int>>(limits: DeltaLimits(listCount: 2))
    func apply(_ members: String) async throws {
      try await mirror.apply(
        Self.read(#"{"format":1,"counts":{"sections":1,"items":1},\#(members)}"#))
    }
    func reset(_ hidden: Int...) async throws {
      let rows = hidden.map { #",{"id":\#($0),"level":1}"# }.joined()
      try await apply(
        #""target":\#(Self.token(1)),"sections":[{"id":"A","outline":[{"id":1}\#(rows)]}]"#)
    }
    func splice(_ splice: String) async throws {
      try await apply(
        """
        "base":\(Self.token(1)),"target":\(Self.token(2)),"difference":{"outlineChanges":[[0,1]]},
        "outlines":[{"splices":[\(splice)]}]
        """)
    }
    let error = DeltaError.tooManyElements(count: 3, limit: 2)
    await #expect(throws: error) { try await reset(2, 3) }
    try await reset(2)
    await #expect(throws: error) { try await splice(#"{"at":2,"rows":[{"id":3,"level":1}]}"#) }
    #expect(await mirror.snapshot.outline(ofSection: "A")?.count == 2)
    try await splice(#"{"at":1,"remove":1,"rows":[{"id":3,"level":1}]}"#)
    #expect(await mirror.snapshot.outline(ofSection: "A")?.count == 2)
    #expect(await mirror.snapshot.containsItem(3))
  }

  @Test(.enabled(if: !checksInvariants, "the checks do not find them either"))
  func `Identifiers that are not equal to themselves stop nothing`() async throws {
    let numbers: [Double] = [1, 2, .nan, 3]
    func snapshot(_ sections: [Double], _ items: [Double]) throws -> Snapshot<Double, Double> {
      var snapshot = Snapshot<Double, Double>()
      snapshot.appendSections(sections)
      if !sections.isEmpty { try snapshot.appendItems(items) }
      return snapshot
    }
    var random = SplitMix64(seed: 3)
    for round in 0..<rounds(100) {
      var list = Mirrored<UpdateBatch<Double, Double>>()
      var sequence = BatchSequence<Double, Double>()
      for step in 0..<6 {
        let (sections, items) = (random.shuffled(numbers), random.shuffled(numbers + [.nan]))
        let next = try snapshot(random.sample(sections, oneIn: 2), random.sample(items, oneIn: 2))
        guard let batch = try? sequence.next(next) else { continue }
        let before = await list.snapshot.itemIdentifiers.count
        let delta = UpdateDelta(step == 0 ? try sequence.reset() : batch)
        do throws(DeltaError) {
          try await list.apply(delta)
          #expect(await list.token == delta.target, "seed 3, round \(round)")
        } catch {
          #expect(await list.snapshot.itemIdentifiers.count == before)
          #expect(await list.token == nil)
        }
      }
    }
  }
}

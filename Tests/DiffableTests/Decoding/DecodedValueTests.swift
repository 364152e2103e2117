import Diffable
import DiffableTesting
import Foundation
import Testing
import TestScope

@Suite("A decoded value fits itself, or a typed error says what is wrong")
struct DecodedValueTests {
  /// What is wrong with a text, in words; `nil` if nothing.
  private func fault<Value: Decodable>(_ type: Value.Type, _ json: String) -> String? {
    do {
      _ = try JSONDecoder().decode(type, from: Data(json.utf8))
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "another error: \(error)"
    }
  }

  private func expect<Value: Decodable>(_ type: Value.Type, _ json: String, _ words: String) {
    let fault = fault(type, json)
    #expect(fault?.contains(words) == true, "\(fault ?? "nothing") for \(json)")
  }

  @Test func `Paths, outlines and marks`() throws {
    expect(ItemPath.self, #"{"section":-1,"item":0}"#, "No item can be at")
    expect(ItemPath.self, #"{"section":0,"item":9007199254740991}"#, "No item can be at")
    let path = ItemPath(section: 3, item: 4)
    #expect(try JSONDecoder().decode(ItemPath.self, from: JSONEncoder().encode(path)) == path)
    expect(Outline<Int>.self, #"[{"id":1,"level":1}]"#, "at most one level below")
    expect(Outline<Int>.self, #"[{"id":1},{"id":2,"level":2}]"#, "at most one level below")
    expect(Outline<Int>.self, #"[{"id":1,"level":-1}]"#, "No row is at level -1")
    expect(Outline<Int>.self, #"[{"id":1},{"id":1}]"#, "“1” is at")
    for (old, new) in [(1, 4), (2, 3)] {
      let renamed = #"[{"old":1,"new":3},{"old":\#(old),"new":\#(new)}]"#
      let json = #"{"sections":[{"id":"A","items":[3,4]}],"renamed":\#(renamed)}"#
      expect(Snapshot<String, Int>.self, json, "two new identifiers, or two items")
    }
    do {
      let json = #"{"sections":[{"id":"A","items":[1]}],"reload":[2]}"#
      _ = try JSONDecoder().decode(Snapshot<String, Int>.self, from: Data(json.utf8))
      Issue.record("accepted")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.underlyingError as? SnapshotError == .unknownItem([AnyItemID(2)]))
    }
  }

  @Test func `An outline as deep as it is long takes no stack`() throws {
    let depth = scoped(usual: 20_000, wide: 40_000)
    let rows = (0..<depth).map { #"{"id":\#($0),"level":\#($0),"expanded":true}"# }
    func list(_ rows: some Sequence<String> & SendableMetatype) throws -> Snapshot<String, Int> {
      let json = #"{"sections":[{"id":"A","outline":[\#(rows.joined(separator: ","))]}]}"#
      return try JSONDecoder().decode(Snapshot.self, from: Data(json.utf8))
    }
    let deep = try list(rows)
    #expect(deep.numberOfItems == depth)
    let change = try UpdateBatch(from: list(rows.dropLast(7)), to: deep)
    #expect(change.difference.itemInserts.count == 7)
    for profile in [ListProfile.collectionView, .sequential] {
      #expect(change.stages(for: profile).last?.snapshot == deep)
    }
    #expect(deep.outline(ofSection: "A")?.description.isEmpty == false)
  }
}

import DiffableTesting
import Testing

@testable import Diffable

/// A key whose hash a test chooses.
private struct ChosenKey: Hashable, Sendable {
  let number: Int
  let hash: UInt32

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  func _rawHashValue(seed: Int) -> Int { Int(hash) }
}

@Suite("A map whose copies share storage, against a dictionary")
struct ContentMapTests {
  private typealias Map = ContentMap<ChosenKey, Int>
  private typealias Version = (map: Map, model: [ChosenKey: Int])

  /// Hashes that part at the first level, at the last one, inside and nowhere.
  static let hashes: [[UInt32]] = [
    [0, 1, 2], [0, 32, 64], [0, 32, 1], [0, 1 << 31, 1 << 30], [0, 1 << 31, 1 << 5],
    [7, 7, 7], [7, 7, 7 + 1 << 30], [7, 7, 8], [.max, .max - 1, .max >> 1],
  ]

  @Test("Every script of four edits of three keys", arguments: hashes)
  func everyScript(_ hashes: [UInt32]) {
    let keys = hashes.enumerated().map { ChosenKey(number: $0, hash: $1) }
    var scripts = 0
    func explore(_ versions: [Version]) {
      check(versions)
      scripts += 1
      guard versions.count < 5, let latest = versions.last else { return }
      for key in keys {
        for value in [0, 1, nil] {
          explore(versions + [edited(latest, key, value)])
        }
      }
    }
    explore([(Map(), [:])])
    #expect(
      scripts == (0...4).reduce(0) { sum, length in sum + (0..<length).reduce(1) { n, _ in n * 9 } }
    )
  }

  @Test(
    "Random scripts of many keys, some with the same hash", arguments: 1...8 as ClosedRange<UInt64>)
  func randomScripts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let spread = random.element(of: [3, 40, 100_000]) ?? 1
    let keys = (0..<200).map { number in
      ChosenKey(
        number: number,
        hash: UInt32(truncatingIfNeeded: random.number(below: spread)) &* 0x9E37_79B1)
    }
    var versions: [Version] = [(Map(), [:])]
    for step in 0..<600 {
      let key = keys[random.number(below: keys.count)]
      let value = random.chance(oneIn: step < 300 ? 5 : 2) ? nil : random.number(below: 3)
      versions.append(edited(versions[versions.count - 1], key, value))
      if versions.count > 12 { versions.remove(at: random.number(below: 12)) }
      if step % 60 == 0 { check(versions, "seed \(seed), step \(step)") }
    }
    check(versions, "seed \(seed)")
  }

  private func edited(_ version: Version, _ key: ChosenKey, _ value: Int?) -> Version {
    var (map, model) = version
    if let value { map.set(value, for: key) } else { map.remove(key) }
    model[key] = value
    return (map, model)
  }

  /// All versions hold what they should, and differ as they should.
  private func check(_ versions: [Version], _ comment: Comment = "") {
    for (map, model) in versions {
      #expect(map.faults == [], comment)
      #expect(map.count == model.count, comment)
      #expect(Set(map.keys) == Set(model.keys), comment)
      #expect(model.allSatisfy { map[$0.key] == $0.value }, comment)
    }
    guard let (map, model) = versions.last else { return }
    for (old, oldModel) in versions {
      var changed: [ChosenKey: [Int?]] = [:]
      map.forEachUnshared(since: old) { key, old, new in
        #expect(oldModel[key] == old && model[key] == new, comment)
        #expect(changed[key] == nil, comment)
        if old != new { changed[key] = [old, new] }
      }
      var expected: [ChosenKey: [Int?]] = [:]
      for (key, new) in model where oldModel[key] != new { expected[key] = [oldModel[key], new] }
      #expect(changed == expected, comment)
    }
  }

  @Test("A change copies one path, and only that is looked at")
  func sharing() {
    let size = 100_000
    var map = ContentMap<Int, Int>()
    for key in 0..<size { map.set(key, for: key) }
    for key in stride(from: 0, to: size, by: 9_973) {
      var changed = map
      changed.set(-1, for: key)
      #expect(unsharedNodes(changed.root, map.root) <= 7)
      var looks = 0
      changed.forEachUnshared(since: map) { _, _, _ in looks += 1 }
      #expect(looks <= 32)
      #expect(map[key] == key && changed[key] == -1)
    }
  }

  @Test("A map that is edited alone is edited in place, and frees what it drops")
  func lifetimes() {
    let census = PayloadCensus()
    var map = ContentMap<Int, Payload>()
    for key in 0..<2_000 { map.set(Payload(census), for: key) }
    var versions: [ContentMap<Int, Payload>] = []
    for key in 0..<50 {
      versions.append(map)
      map.set(Payload(census), for: key)
    }
    #expect(census.population == 2_050)
    versions = []
    #expect(census.population == 2_000)
    for key in 0..<2_000 { map.remove(key) }
    #expect(census.population == 0)
    #expect(map.faults == [] && map.root.children.isEmpty)
  }

  private func unsharedNodes<Key, Value>(
    _ new: ContentMap<Key, Value>.Node, _ old: ContentMap<Key, Value>.Node
  ) -> Int {
    guard
      !new.entries.sharesStorage(with: old.entries)
        || !new.children.sharesStorage(with: old.children)
    else { return 0 }
    guard new.childBits == old.childBits else { return .max }
    return zip(new.children, old.children).reduce(1) { $0 + unsharedNodes($1.0, $1.1) }
  }
}

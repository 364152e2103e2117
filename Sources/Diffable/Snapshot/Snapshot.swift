/// The state of a list: identified sections in order, each with identified items in order.
///
/// A snapshot is a value. Build one from your model, or take the live one from a data source, edit
/// it, and apply it:
///
/// ```swift
/// var snapshot = Snapshot<String, Int>()
/// snapshot.appendSections(["main"])
/// try snapshot.appendItems([1, 2, 3], toSection: "main")
/// ```
///
/// An identifier appears once in the whole snapshot; sections and items are separate. This is
/// checked when a snapshot is applied, or by ``validate()``, not by every edit. A section is a flat
/// list, or an ``Outline`` whose visible items are the section's items. Reload and reconfigure
/// marks belong to one apply and are gone afterwards.
///
/// Identifiers must obey the laws of `Hashable`. If they do not, as `Double.nan` does not, elements
/// are not found, or are confused with others. But no edit traps or runs forever, and the items of
/// a section always match what its outline shows. Dictionaries and sets of such identifiers, yours
/// or returned by this package, come from the standard library: they may stop the program.
///
/// A list may have up to a billion items. More stop the program where elements are numbered in 32
/// bits, after the identifiers alone have taken tens of gigabytes.
///
/// Copying is free, and related snapshots share storage. An edit costs O(log n) for n items. A
/// snapshot from a source uses the lookup table of the live state to find identifiers. Any other
/// snapshot has no table at first: the first few lookups scan every stored hash, O(n), and then it
/// builds its own table. An array appended to an empty section is neither copied nor hashed before
/// that.
public struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  // Invariants:
  // 1. `itemCount` is the sum of the counts of all sections.
  // 2. If there are more sections than fit in a leaf, each has one entry in `sectionTable`, under its
  //    identifier and under its key, unless these tables are postponed. No two sections have the same
  //    key.
  // 3. While there is an `itemTable`, all sections hold trees, and each item has one entry in it.
  //    An item that an outline hides has one entry too, under the label for hidden items.
  // 4. While there is no `itemTable`, there is a `resolution`, and it belongs to exactly this order.
  // 5. The items of a section with an outline are the visible items of that outline.

  package typealias Record = SectionRecord<SectionID, ItemID>

  /// Everything except the types and the marks.
  package var base: UntypedSnapshot
  package var marks = Marks()

  /// Creates a snapshot without any section.
  @inlinable public init() {
    self.init(Self.makeKernels())
  }

  /// Creates a snapshot without any section.
  @usableFromInline package init(_ kernels: SnapshotKernels) {
    base = UntypedSnapshot(kernels)
  }

  init(_ base: UntypedSnapshot) { self.base = base }

  init(_ base: UntypedSnapshot, marks: Marks) {
    self.base = base
    self.marks = marks
  }
}

/// Typed access to what the untyped snapshot has.
extension Snapshot {
  package var kernels: SnapshotKernels { base.kernels }
  /// The records of the sections.
  package var order: TypedTree<Record> { TypedTree(base.order) }
  /// The approximate number of identifiers that it holds, those of hidden rows included.
  package var weight: Int { base.weight }
}

extension Snapshot: Equatable {
  /// Compares sections, items and outlines, but not marks.
  ///
  /// - Complexity: O(n) for n items, less if both share storage.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    guard
      left.order.count == right.order.count, left.numberOfItems == right.numberOfItems
    else { return false }
    return left.records.elementsEqual(right.records) { left, right in
      left.id == right.id && left.hasSameOutline(as: right)
        && (left.items.isIdentical(to: right.items)
          || (left.items.count == right.items.count
            && Items(base: left.items).elementsEqual(Items(base: right.items))))
    }
  }
}

extension Snapshot: CustomStringConvertible {
  /// The snapshot in compact notation: `main[a b* c~] archive*[]`.
  ///
  /// Sections in order, their items in brackets; `*` marks a reload, `~` a reconfigure. A snapshot
  /// without sections is `∅`.
  public var description: String {
    guard numberOfSections > 0 else { return "∅" }
    return records.map { section in
      let items = section.items.array.map { item in
        if marks.reloadedItems.contains(item) { return "\(item)*" }
        return marks.reconfiguredItems.contains(item) ? "\(item)~" : "\(item)"
      }
      let mark =
        marks.reloadedSections.contains(section.id)
        ? "*" : marks.reconfiguredSections.contains(section.id) ? "~" : ""
      return "\(section.id)\(mark)[\(items.joined(separator: " "))]"
    }
    .joined(separator: " ")
  }
}

extension SnapshotKernels {
  /// Creates the kernels of some types, in code that is compiled once.
  @usableFromInline
  package convenience init<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
  >(
    of type: Snapshot<SectionID, ItemID>.Type, sections: ElementKernel, items: ElementKernel,
    models: ElementKernel? = nil
  ) {
    precondition(sections.type == SectionID.self && items.type == ItemID.self)
    self.init(
      sections: sections, items: items,
      records: .records(SectionRecord<SectionID, ItemID>.self, sections),
      bodies: SectionRecord<SectionID, ItemID>.placeOfBody, models: models)
  }
}

extension Snapshot {
  /// The kernels, compiled for the types in the module that inlines this.
  ///
  /// - Parameter models: The kernel of the models that a source keeps for the items.
  @inlinable package static func makeKernels(models: ElementKernel? = nil) -> SnapshotKernels {
    SnapshotKernels(
      of: Self.self, sections: ElementKernel(SectionID.self), items: ElementKernel(ItemID.self),
      models: models)
  }
}

extension Snapshot {
  /// The same state on the storage of another one; see
  /// ``UntypedSnapshot/reusing(_:keepingOutlines:)``.
  func reusing(_ live: Snapshot, keepingOutlines keepsOutlines: Bool) -> Snapshot {
    Snapshot(
      base.reusing(live.base, keepingOutlines: keepsOutlines).snapshot, marks: marks)
  }
}

/// The section of a list that has no others.
///
/// ```swift
/// let source = ModelSource<SingleSection, Note>()
/// try await source.apply(notes)
/// try await source.update { try $0.appendItems([note]) }
/// ```
///
/// You need not append it: an edit that adds rows adds it, too.
public struct SingleSection: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Creates the identifier; all are equal.
  public init() {}

  /// The word that lists of sections show for it.
  public var description: String { "all" }
}

extension Snapshot {
  /// This snapshot with its table.
  ///
  /// - Complexity: O(1), or O(n) the first time.
  package var resolved: Snapshot {
    guard base.itemTable == nil, let resolution = base.resolution else { return self }
    let state = resolution.resolve {
      var state = self
      state.makeTable()
      return state.base
    }
    return Snapshot(state, marks: marks)
  }

  /// Makes the table part of this value, so that edits keep it up to date.
  package mutating func resolve() {
    if base.itemTable == nil { self = resolved }
  }

  /// A snapshot without the table: small enough to keep in a history.
  package var detached: Snapshot { Snapshot(base.detached(asking: nil), marks: marks) }

  /// Whether any possible duplicate really appears twice.
  ///
  /// Needs the table.
  var hasDuplicates: Bool {
    base.mayHaveDuplicates && (hasDuplicateSections || hasDuplicateItems())
  }

  /// Computes missing hashes and files every item in a table.
  ///
  /// - Parameter newcomers: Items that include both of any two equal items; `nil` if not known.
  mutating func makeTable(newcomers: @autoclosure () -> HashedElements? = nil) {
    // They are gathered at most once, since that takes as long as making the table.
    let areKnown = base.makeTable(newcomers: newcomers())
    guard base.itemTable?.possibleDuplicates.isEmpty == false else { return }
    // Of a million items, about a hundred share a hash with another one by chance. They need not be
    // compared again when the snapshot is validated later.
    if !hasDuplicateItems(whereAllPossibleAreKnown: areKnown) {
      base.itemTable?.forgetPossibleDuplicates()
    }
  }
}

extension Snapshot {
  /// The first path of each of some items, in no particular order; unknown items are left out.
  ///
  /// - Complexity: O(m log n) for m of n items if a table has them; otherwise O(n + m), with one
  ///   look at each stored hash.
  func firstPaths(ofItems items: [ItemID]) -> [ItemPath] {
    guard !items.isEmpty else { return [] }
    var found: [ItemPath] = []
    var rest: [ItemID] = []
    for item in items {
      if let places = placesByLiveTable(ofItem: item) {
        if let path = places.visible.first { found.append(path) }
      } else {
        rest.append(item)
      }
    }
    guard !rest.isEmpty else { return found }
    if let places = scan(for: rest) { return found + places.compactMap { $0.first } }
    return found + rest.compactMap(itemPath(for:))
  }

  /// The paths of some items, each in ascending order, found without a table.
  ///
  /// To look at a stored hash costs a fraction of filing it in a table, so a scan is faster for a
  /// few lookups.
  ///
  /// - Returns: By item; `nil` if there is a table, which is faster, or hashes are not stored yet.
  /// - Complexity: O(n + m) for n items and m that are looked for.
  func scan(for items: [ItemID]) -> [[ItemPath]]? {
    guard base.itemTable == nil, base.resolution?.cached == nil,
      items.count * 16 <= base.itemCount
    else { return nil }
    let hashes = items.map { $0.storedHash }
    let filter = HashFilter(hashes)
    let sought = Dictionary(grouping: items.indices) { hashes[$0] }
    var places = [[ItemPath]](repeating: [], count: items.count)
    for (section, record) in records.enumerated() {
      guard case .tree(let tree) = record.items else { return nil }
      var base = 0
      tree.base.root?.forEachLeaf { leaf in
        let span = leaf.span
        withExtendedLifetime(leaf) {
          filter.forEachCandidate(in: span.hashBuffer) { offset in
            let address = span.address(offset).assumingMemoryBound(to: ItemID.self)
            for item in sought[span.hashes[offset]] ?? [] where address.pointee == items[item] {
              places[item].append(ItemPath(section: section, item: base + offset))
            }
          }
        }
        base += leaf.count
      }
    }
    return places
  }
}

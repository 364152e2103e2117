extension UntypedSnapshot {
  /// A state on the storage of another one.
  ///
  /// - `matchings`: How the items of sections that were arrays match, in ascending order of the
  ///   sections.
  /// - `isModelled`: By section index: whether its items have the models that came with them; empty
  ///   if none have.
  package typealias Reused = (
    snapshot: UntypedSnapshot, matchings: [(section: Int, items: OrderMatching)],
    isModelled: [Bool]
  )

  /// The same state on the storage of another one.
  ///
  /// What both have in common is shared, and arrays become trees. Both must be free of duplicate
  /// sections. Nothing can be looked up in the result before it has a table.
  ///
  /// - Parameters:
  ///   - live: The other state.
  ///   - keepsOutlines: Whether a list in place of an outline becomes the outline, edited to
  ///     show the list.
  /// - Complexity: O(s + n) comparisons for s sections and n items in arrays; O(d · log s) for d leaves of
  ///   sections that differ if there is no array.
  package func reusing(_ live: UntypedSnapshot, keepingOutlines keepsOutlines: Bool) -> Reused {
    guard !isSettled(beside: live, keepingOutlines: keepsOutlines) else {
      var settled = self
      settled.kernels = live.kernels
      return (settled, [], [])
    }
    let (places, bodies) = (order.places, live.kernels.bodies)
    // Records are identified by their addresses here, so both orders must stay alive.
    defer { withExtendedLifetime((order, live.order)) {} }
    let (partners, isAligned) = partners(of: places, in: live)
    var reused: Reused = (isAligned ? live : UntypedSnapshot(live.kernels), [], [])
    reused.snapshot.itemTable = nil
    reused.snapshot.resolution = nil
    reused.snapshot.itemCount = 0
    var keys = live.sectionTable
    let table = live.itemTable?.entries
    var elements = HashedElements(live.kernels.records, capacity: isAligned ? 0 : order.count)
    let hashes = isAligned ? [] : order.hashes
    for index in places.indices {
      let (partner, given) = (partners[index], bodies.body(ofRecordAt: places[index]))
      let (section, matching) = given.reusing(
        partner, key: partner?.key ?? keys.makeKey(live.order, bodies), table: table,
        mostChanges: live.itemCount / 2, keepingOutlines: keepsOutlines)
      if given.array?.hasModels == true, !section.isOutline {
        if reused.isModelled.isEmpty {
          reused.isModelled = Array(repeating: false, count: places.count)
        }
        reused.isModelled[index] = true
      }
      reused.snapshot.itemCount += section.itemCount
      if let matching { reused.matchings.append((index, matching)) }
      if !isAligned {
        elements.append(places[index], hash: hashes[index]) {
          bodies.put(section, inRecordAt: $0)
        }
      } else if partner !== section {
        reused.snapshot.order.mutateElement(at: index) { bodies.put(section, inRecordAt: $0) }
      }
    }
    guard !isAligned else { return reused }
    reused.snapshot.sectionTable = SectionTable(continuing: keys)
    let delta = reused.snapshot.order.replaceSubrange(0..<0, with: elements)
    reused.snapshot.sectionTable.follow(delta, to: reused.snapshot.order, bodies)
    return reused
  }

  /// Whether there is nothing to take over from another state, whose sections are all trees.
  private func isSettled(
    beside live: UntypedSnapshot, keepingOutlines keepsOutlines: Bool
  ) -> Bool {
    let bodies = live.kernels.bodies
    var isSettled = true
    LeafWindows.forEach(old: live.order, new: order) { stretch in
      // What both share is the same in both.
      guard isSettled, case .changed(let window) = stretch else { return }
      var base = window.newBase
      for leaf in window.new.lazy.compactMap(\.leaf) {
        let span = leaf.span
        isSettled = (0..<span.count).allSatisfy { offset in
          let place = span.address(offset)
          return bodies.withBody(ofRecordAt: place) { section in
            // Neither an array nor a section that is the same there needs to be looked up.
            guard section.tree != nil else { return false }
            let index = base + offset
            if index < live.order.count, live.body(ofSectionAt: index) === section { return true }
            let partner = live.index(ofSectionEqualTo: place).map(live.body(ofSectionAt:))
            return section.isSettled(beside: partner, keepingOutlines: keepsOutlines)
          }
        }
        guard isSettled else { return }
        base += leaf.count
      }
    }
    return isSettled
  }

  /// The sections of another state that equal those at some addresses.
  ///
  /// Also returns whether both states have the same sections in the same order.
  private func partners(
    of places: [UnsafeRawPointer], in live: UntypedSnapshot
  ) -> (sections: [SectionBody?], areAligned: Bool) {
    let (livePlaces, kernel, bodies) = (live.order.places, kernels.records, live.kernels.bodies)
    // Most sections have not moved.
    func isThere(_ index: Int) -> Bool {
      index < livePlaces.count && kernel.areEqual(livePlaces[index], places[index])
    }
    if places.count == livePlaces.count, places.indices.allSatisfy(isThere) {
      return (livePlaces.map(bodies.body(ofRecordAt:)), true)
    }
    // Sections that equal the same section, but not each other, must not get the same key.
    var isTaken = Array(repeating: false, count: livePlaces.count)
    let partners = places.indices.map { index -> SectionBody? in
      let found = isThere(index) ? index : live.index(ofSectionEqualTo: places[index])
      guard let found, !isTaken[found] else { return nil }
      isTaken[found] = true
      return bodies.body(ofRecordAt: livePlaces[found])
    }
    return (partners, false)
  }
}

extension SectionBody {
  /// Whether there is nothing to take over from the same section of the live state.
  func isSettled(beside partner: SectionBody?, keepingOutlines keepsOutlines: Bool) -> Bool {
    guard tree != nil else { return false }
    guard let partner else { return true }
    let keepsOutline = partner.isOutline && (keepsOutlines || isOutline)
    return key == partner.key && (!keepsOutline || outline === partner.outline)
  }
}

extension OrderTree {
  /// The addresses of the elements, valid for as long as the tree is held.
  ///
  /// - Complexity: O(n) for n elements.
  var places: [UnsafeRawPointer] {
    var places: [UnsafeRawPointer] = []
    places.reserveCapacity(count)
    root?.forEachLeaf { leaf in
      let span = leaf.span
      for index in 0..<span.count { places.append(span.address(index)) }
    }
    return places
  }
}

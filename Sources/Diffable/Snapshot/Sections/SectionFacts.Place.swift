extension SectionFacts {
  /// Where the records of some type have their facts.
  struct Place {
    let offset: Int
    let stride: Int

    /// Calls a function with the facts of a record, by its address or that of one before it.
    func withFacts<Result>(
      ofRecordAt address: UnsafeRawPointer, _ index: Int = 0, _ body: (SectionFacts) -> Result
    ) -> Result {
      // The body of a record is the only thing that stands there, and it is a `SectionFacts`.
      let facts = (address + index &* stride + offset).load(as: Unmanaged<SectionFacts>.self)
      return facts._withUnsafeGuaranteedRef(body)
    }

    /// Calls a function that may change the facts of a record, given by its address.
    ///
    /// They are copied if somebody else holds them.
    func edit<Result>(
      ofRecordAt address: UnsafeMutableRawPointer, _ body: (SectionFacts) -> Result
    ) -> Result {
      // The reference is taken out of the record for as long as this lasts, so that it is counted once.
      let place = address + offset
      var facts = place.load(as: Unmanaged<SectionFacts>.self).takeRetainedValue()
      if !isKnownUniquelyReferenced(&facts) { facts = facts.copy() }
      let result = body(facts)
      place.storeBytes(of: Unmanaged.passRetained(facts), as: Unmanaged<SectionFacts>.self)
      return result
    }

    /// Gives facts to a record that has none yet, given by its address.
    func initialize(ofRecordAt address: UnsafeMutableRawPointer, to section: SectionFacts) {
      (address + offset).storeBytes(
        of: Unmanaged.passRetained(section), as: Unmanaged<SectionFacts>.self)
    }

    /// Puts facts of the same types in the place of those of a record, given by its address.
    func put(_ section: SectionFacts, inRecordAt address: UnsafeMutableRawPointer) {
      let place = address + offset
      let old = place.load(as: Unmanaged<SectionFacts>.self)
      place.storeBytes(of: Unmanaged.passRetained(section), as: Unmanaged<SectionFacts>.self)
      old.release()
    }

    /// Edits the items of a record, given by its address, as a tree.
    func editTree<Result>(
      ofRecordAt address: UnsafeMutableRawPointer, _ edit: (inout OrderTree) -> Result
    ) -> Result {
      self.edit(ofRecordAt: address) { $0.editTree(edit) }
    }
  }

  static func place<SectionID, ItemID>(
    in type: SectionRecord<SectionID, ItemID>.Type
  ) -> Place {
    guard let offset = MemoryLayout.offset(of: \SectionRecord<SectionID, ItemID>.body) else {
      preconditionFailure("a record stores its body")
    }
    return Place(offset: offset, stride: MemoryLayout<SectionRecord<SectionID, ItemID>>.stride)
  }
}

extension SectionFacts {
  /// Where the records of a type store their facts.
  @usableFromInline package struct Place: Sendable {
    @usableFromInline let offset: Int
    @usableFromInline let stride: Int

    package init(offset: Int, stride: Int) {
      (self.offset, self.stride) = (offset, stride)
    }

    /// Calls a function with the facts of a record, given by its address or that of an earlier one.
    @inlinable package func withFacts<Result>(
      ofRecordAt address: UnsafeRawPointer, _ index: Int = 0, _ body: (SectionFacts) -> Result
    ) -> Result {
      // The body is the only property at this offset of a record, and it is a `SectionFacts`.
      let facts = (address + index &* stride + offset).load(as: Unmanaged<SectionFacts>.self)
      return facts._withUnsafeGuaranteedRef(body)
    }

    /// Calls a function that may change the facts of a record, given by its address.
    ///
    /// The facts are copied if they have another holder.
    package func edit<Result>(
      ofRecordAt address: UnsafeMutableRawPointer, _ body: (SectionFacts) -> Result
    ) -> Result {
      // The reference is taken out of the record during the call, so that it is counted once.
      let place = address + offset
      var facts = place.load(as: Unmanaged<SectionFacts>.self).takeRetainedValue()
      if !isKnownUniquelyReferenced(&facts) { facts = facts.copy() }
      let result = body(facts)
      place.storeBytes(of: Unmanaged.passRetained(facts), as: Unmanaged<SectionFacts>.self)
      return result
    }

    /// Sets the facts of a record that has none yet, given by its address.
    func initialize(ofRecordAt address: UnsafeMutableRawPointer, to section: SectionFacts) {
      (address + offset).storeBytes(
        of: Unmanaged.passRetained(section), as: Unmanaged<SectionFacts>.self)
    }

    /// Replaces the facts of a record, given by its address, with facts of the same types.
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
}

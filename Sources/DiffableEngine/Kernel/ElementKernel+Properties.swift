extension ElementKernel {
  /// Whether a writer has given a property of a model a value of its own, without a look at what others have
  /// made of it.
  ///
  /// A writer that has looked gives another value than it gave before, as one that adds to a number. Properties
  /// are the stored ones of a structure, or what its mirror shows, as far as they can be compared. A model that
  /// has none is compared as a whole.
  ///
  /// - Parameters:
  ///   - base: The version that both have started from.
  ///   - theirs: What others have made of it.
  ///   - former: What the writer has made of the base.
  ///   - now: What the writer has made of the others' version.
  /// - Complexity: O(p) for p properties, by reflection.
  package func overrules(
    base: UnsafeRawPointer, theirs: UnsafeRawPointer, former: UnsafeRawPointer,
    now: UnsafeRawPointer
  ) -> Bool {
    func properties<Model>(_ model: UnsafeRawPointer, _ type: Model.Type) -> [Any]? {
      let mirror = Mirror(reflecting: model.assumingMemoryBound(to: type).pointee)
      return mirror.displayStyle == .struct ? mirror.children.map(\.value) : nil
    }
    func compare<Model>(_ type: Model.Type) -> Bool {
      let versions = [base, theirs, former, now].compactMap { properties($0, type) }
      guard versions.count == 4, Set(versions.map(\.count)).count == 1 else { return false }
      for number in versions[0].indices {
        let (base, theirs) = (versions[0][number], versions[1][number])
        let (former, now) = (versions[2][number], versions[3][number])
        if isEqual(base, theirs) == false, isEqual(theirs, now) == false,
          isEqual(former, now) == true
        {
          return true
        }
      }
      return false
    }
    return areEqual(former, now) || _openExistential(type, do: compare)
  }
}

/// Whether two values are equal; `nil` if they cannot be compared.
private func isEqual(_ left: Any, _ right: Any) -> Bool? {
  guard let left = left as? any Equatable else { return nil }
  func compare<Value: Equatable>(_ left: Value) -> Bool? { (right as? Value).map { left == $0 } }
  return compare(left)
}

import DiffableTesting

/// Every order of some elements.
package func everyPermutation<Element>(of elements: [Element]) -> [[Element]] {
  everyOrderedSubset(of: elements).filter { $0.count == elements.count }
}

/// Every sequence of so many elements, of which each may come up several times.
package func everySequence<Element>(of elements: [Element], length: Int) -> [[Element]] {
  (0..<length).reduce([[]]) { sequences, _ in
    sequences.flatMap { sequence in elements.map { sequence + [$0] } }
  }
}

/// Every sequence of at most so many elements, the short ones first.
package func everySequence<Element>(of elements: [Element], upTo length: Int) -> [[Element]] {
  (0...length).flatMap { everySequence(of: elements, length: $0) }
}

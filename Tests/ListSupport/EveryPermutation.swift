import DiffableTesting

/// Every order of some elements.
package func everyPermutation<Element>(of elements: [Element]) -> [[Element]] {
  everyOrderedSubset(of: elements).filter { $0.count == elements.count }
}

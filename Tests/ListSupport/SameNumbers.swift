// What laws compare at each step of a long run. A release build does not optimize the tests themselves.

/// Whether two lists are the same.
package func areSame(_ left: [Int], _ right: [Int]) -> Bool { left == right }

/// The numbers of a list; `nil` if one appears twice.
package func distinctNumbers(_ list: [Int]) -> Set<Int>? {
  let numbers = Set(list)
  return numbers.count == list.count ? numbers : nil
}

/// Whether two sets are the same.
package func areSame(_ left: Set<Int>, _ right: Set<Int>) -> Bool { left == right }

/// The numbers of a set that another set does not have.
package func numbers(of left: Set<Int>, notIn right: Set<Int>) -> [Int] {
  left.filter { !right.contains($0) }
}

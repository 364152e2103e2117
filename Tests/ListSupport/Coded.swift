import Foundation

/// A value as it is when it was written as JSON and read again.
package func coded<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

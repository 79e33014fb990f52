import Physics
import Testing

/// Checks that a call refuses a number that was given for `property`, and says a range that the
/// number is not in.
func expectRefused<Value>(
  _ property: PhysicsError.Property, _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ call: () throws -> Value
) {
  let refusal: PhysicsError.Refusal
  do {
    _ = try call()
    Issue.record(comment ?? "nothing was refused", sourceLocation: sourceLocation)
    return
  } catch PhysicsError.valueOutOfRange(let found) {
    refusal = found
  } catch PhysicsError.sizeOutOfRange(let found) {
    refusal = found
  } catch {
    Issue.record(error, comment, sourceLocation: sourceLocation)
    return
  }
  #expect(refusal.property == property, comment, sourceLocation: sourceLocation)
  let isAllowed = refusal.allowed.contains(refusal.value)
  #expect(!isAllowed, comment, sourceLocation: sourceLocation)
}

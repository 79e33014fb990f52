import StickerPitClient

/// What the app of docs/IOS-APP.md says above the pit, which quotes it word for word.
func sentence(about client: PitClient) -> String {
  switch client.state {
  case .idle: return "Paused"
  case .connecting: return "Joining …"
  case .waiting(let error): return "Coming back: \(error)"
  case .ended(let error): return "Over: \(error)"
  case .online:
    let name = client.person?.name.text ?? ""
    let others = client.peopleCount - 1
    return others > 0 ? "You are \(name), with \(others) more" : "You are \(name)"
  }
}

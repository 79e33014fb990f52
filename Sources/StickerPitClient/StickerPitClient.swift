/// A client of a pit, for apps: it connects, shows the world at every picture, and sends what a
/// person does.
///
///     let client = PitClient(url: url)
///     client.connect()
///     // At every picture, on the thread that owns the client:
///     for sticker in client.picture().stickers { … }
///     client.tilt = PitVector(0.2, 0.9)
///     client.drop(kind: 3, at: PitVector(360, 40))
///
/// Start reading at `PitClient.picture()`: everything happens inside it and inside the commands, on
/// the caller's thread. A `PitLink` is all that works beside it, and only collects bytes.
/// Folders: Client/ the client and its link, Picture/ what is drawn, Fingers/ what touches and tilt
/// mean, Apple/ what needs Apple's frameworks. On Linux the module `StickerPitSocket` has a link.

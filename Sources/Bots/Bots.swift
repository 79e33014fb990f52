/// Scripted clients that soak a server: they join, tilt, drop and throw as people would, decode and
/// check every frame, and report. `BotFleet` holds the clients, `Bot` is one of them, `BotScript`
/// decides what it does. The same fleet runs over real sockets and over the in-memory network.

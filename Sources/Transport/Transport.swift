// Transport carries whole binary messages between a server and its clients, and nothing of what
// they mean. Two ways implement the same protocols:
//
//   Listener, ClientPool, Connection     what an owner holds
//   ListenerDelegate, ClientDelegate     what an owner implements
//   WebSocketListener, WebSocketClients  on sockets, by libwebsockets and libev
//   MemoryNetwork                        in memory, on a virtual clock, with seeded faults
//
// No type of the C libraries leaves this module. Each listener and each client pool has one thread;
// its delegate and its connections live there.

"""A bad line between a server and NATS: late, silent or cut."""

import asyncio
import contextlib
import random
import threading
import time

from pitserver import PATIENCE
from ports import free_port

# Bytes that are taken at a time, and wait on their way in one direction at most.
PIECE, MOST = 65_536, 4 << 20


class Line:
    """Connections through a port of its own to another one. What is asked of it counts for those
    that are there and for those that come. TCP is above it, so nothing that it passes on is missing
    or in another order: a lost packet is a delay."""

    def __init__(self, port):
        self._target, self.port = port, free_port()
        # Seconds; the jitter is added or not, by chance.
        self.delay = self.jitter = 0
        self._chance = random.Random(1)
        self._writers = set()
        self._server = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._do(self._begin())

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def late(self, delay, jitter=0):
        """From now on every byte takes so many seconds, and up to `jitter` more."""
        self.delay, self.jitter = delay, jitter

    def hold(self, to_nats=True, from_nats=True):
        """Passes nothing on in these directions, and tells nobody."""
        self._do(self._hold(to_nats, from_nats))

    def go_on(self):
        """Passes everything on again, what was held first."""
        self._do(self._go_on())

    def cut(self):
        """Ends the connections as if something between had forgotten them. New ones may come."""
        self._do(self._cut())

    def refuse(self):
        """Cuts, and lets nobody through."""
        self._do(self._refuse())

    def admit(self):
        """Lets connections through again."""
        self._do(self._listen())

    def close(self):
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work):
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=PATIENCE)

    # In the loop's thread

    async def _begin(self):
        self._to_nats, self._from_nats = asyncio.Event(), asyncio.Event()
        await self._go_on()
        await self._listen()

    async def _listen(self):
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def _hold(self, to_nats, from_nats):
        for is_held, event in (to_nats, self._to_nats), (from_nats, self._from_nats):
            if is_held:
                event.clear()

    async def _go_on(self):
        self._to_nats.set()
        self._from_nats.set()

    async def _cut(self):
        for writer in self._writers:
            writer.transport.abort()

    async def _refuse(self):
        if self._server is not None:
            self._server.close()
            self._server = None
        await self._cut()

    async def _end(self):
        await self._refuse()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            # Nobody is there: the member is told by the end of its connection.
            return writer.transport.abort()
        ends = [writer, far_writer]
        self._writers.update(ends)
        passing = [
            asyncio.create_task(self._pass(reader, far_writer, self._to_nats)),
            asyncio.create_task(self._pass(far_reader, writer, self._from_nats)),
        ]
        try:
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Where one direction ends, the other one does: NATS knows no half a connection.
            for task in passing:
                task.cancel()
            for end in ends:
                end.transport.abort()
            self._writers.difference_update(ends)

    async def _pass(self, reader, writer, may_pass):
        """One direction of a connection, until it ends."""
        under_way = asyncio.Queue(maxsize=MOST // PIECE)
        reading = asyncio.create_task(self._read(reader, under_way, may_pass))
        with contextlib.suppress(ConnectionError):
            try:
                while True:
                    due, piece = await under_way.get()
                    await asyncio.sleep(due - time.monotonic())
                    await may_pass.wait()
                    if not piece:
                        return
                    writer.write(piece)
                    await writer.drain()
            finally:
                reading.cancel()

    async def _read(self, reader, under_way, may_pass):
        due = 0
        while True:
            await may_pass.wait()
            try:
                piece = await reader.read(PIECE)
            except ConnectionError:
                piece = b""
            late = self.delay + self._chance.uniform(0, self.jitter)
            # Nothing overtakes what was there before it.
            due = max(due, time.monotonic() + late)
            await under_way.put((due, piece))
            if not piece:
                return

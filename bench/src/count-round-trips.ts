import { connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from './places.ts';

export interface Counted {
  /** The address to use in place of the server's. */
  readonly url: string;
  /** How often a client has waited for the server so far. */
  count(): number;
}

/** PostgreSQL's protocol, message formats: a simple query, and the end of an extended one; after either a client waits. */
const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/** Stands between a client and a PostgreSQL server and counts round trips. */
export async function countRoundTrips(cleanup: Cleanup, serverUrl: string): Promise<Counted> {
  let trips = 0;
  const server = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    const read = frames((type) => {
      if (type === QUERY || type === SYNC) trips += 1;
    });
    client.on('data', read).pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanup.add(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const address = proxy.address();
  const url = new URL(serverUrl);
  url.port = String(typeof address === 'object' ? address?.port : '');
  return { url: url.href, count: () => trips };
}

/** Tells the type of every message of a connection; the first message, which opens the connection, has none. */
function frames(tell: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let opened = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = opened ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      if (opened) tell(rest[0] ?? 0);
      opened = true;
      rest = rest.subarray(length);
    }
  };
}

import { connect, createServer, type Socket } from 'node:net';
import { type Frame, Frames, Statements } from '../crash/wire.ts';
import { portOf } from './listen.ts';

export interface StatementLog {
  /** The address to use in place of the server's. */
  readonly url: string;
  /** The round trips so far: after each of them a client waited for the server. */
  readonly statements: readonly string[];
  /** The type letters of the messages of each (PostgreSQL: Message Formats), without those that sign in. */
  readonly messages: readonly string[];
  /** Waits for so many statements with these words. */
  until(words: string, count: number): Promise<void>;
  close(): Promise<void>;
}

/** Stands between clients and a PostgreSQL server and writes down every round trip. It delays and changes nothing. */
export async function statementLog(serverUrl: string): Promise<StatementLog> {
  const { hostname, port } = new URL(serverUrl);
  const statements: string[] = [];
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  let waiting: (() => void)[] = [];
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const read = roundTrips((statement, parts) => {
      statements.push(statement);
      messages.push(parts.map(({ type }) => type.replace('p', '')).join(''));
      for (const look of waiting.splice(0)) look();
    });
    client.on('data', read).pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${portOf(proxy)}`;
  return {
    url: url.href,
    statements,
    messages,
    async until(words, count) {
      while (statements.filter((each) => each.includes(words)).length < count)
        await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close() {
      waiting = [];
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        proxy.close(resolve);
      });
    },
  };
}

/** Reads what one client sends. The message that opens a connection has no type letter, and opening one is no round trip of a statement. */
function roundTrips(found: (statement: string, parts: readonly Frame[]) => void): (chunk: Buffer) => void {
  const frames = new Frames();
  const prepared = new Statements();
  let opening: Buffer | undefined = Buffer.alloc(0);
  let parts: Frame[] = [];
  return (chunk) => {
    let bytes = chunk;
    if (opening !== undefined) {
      opening = Buffer.concat([opening, chunk]);
      if (opening.length < 4 || opening.length < opening.readInt32BE(0)) return;
      bytes = opening.subarray(opening.readInt32BE(0));
      opening = undefined;
    }
    for (const frame of frames.push(bytes)) {
      parts.push(frame);
      // A simple query, or the end of an extended one (documentation: "Message Flow"): the client waits for the server.
      if (frame.type !== 'Q' && frame.type !== 'S') continue;
      found(prepared.read(parts), parts);
      parts = [];
    }
  };
}

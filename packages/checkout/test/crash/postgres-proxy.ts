import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../support/listen.ts';
import type { Gate, Moment } from './gate.ts';
import { foundSomething, type Frame, Frames, rowsIn, Statements } from './wire.ts';

interface Guarded {
  /** The server's own address. */
  readonly url: string;
  readonly gate: Gate;
  /** Called at an armed point. */
  readonly fire: (moment: Moment) => void;
  /** Called for each statement that had its effect. */
  readonly heard: (what: string, found: boolean, rows: number) => void;
}

type Ask = ReturnType<Gate['arrive']>;

/** Asks for encryption (80877103, 80877104) come before anything else and are answered with no. */
const ENCRYPTION = new Set([80_877_103, 80_877_104]);

/**
 * Stands between the service and a PostgreSQL server. A request is everything up to a Sync, or one simple query; the service can be
 * killed before it is passed on, right after, or when its answer has come and before it is given.
 */
export async function postgresProxy(guarded: Guarded) {
  const { hostname, port } = new URL(guarded.url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket.setNoDelay());
      // Connections break here on purpose.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    conduct(client, upstream, guarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(guarded.url);
  url.host = `127.0.0.1:${portOf(server)}`;
  return {
    url: url.href,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Passes the messages of one connection. */
function conduct(client: Socket, upstream: Socket, { gate, fire, heard }: Guarded): void {
  const waiting: Ask[] = [];
  const cut = () => {
    client.destroy();
    upstream.destroy();
  };
  fromClient(client, upstream, (what, bytes) => {
    const ask = gate.arrive('database', what);
    if (gate.isNow(ask, 'before')) return fire('before');
    waiting.push(ask);
    upstream.write(bytes);
    if (gate.isNow(ask, 'sent')) fire('sent');
  });
  const frames = new Frames();
  let answer: Frame[] = [];
  upstream.on('data', (chunk: Buffer) => {
    for (const frame of frames.push(chunk)) {
      const [ask] = waiting;
      if (ask === undefined) {
        client.write(frame.bytes);
        continue;
      }
      answer.push(frame);
      if (frame.type !== 'Z') continue;
      waiting.shift();
      const found = foundSomething(answer);
      const rows = rowsIn(answer);
      const bytes = Buffer.concat(answer.map((each) => each.bytes));
      answer = [];
      const effect = gate.effect(ask, found);
      if (gate.isNow(effect, 'done')) return fire('done');
      heard(ask.what, found, rows);
      if (gate.isNow(effect, 'cut')) {
        fire('cut');
        return cut();
      }
      client.write(bytes);
    }
  });
}

/** Reads what the service sends: first how it introduces itself, which has no type letter, then requests. */
function fromClient(client: Socket, upstream: Socket, request: (what: string, bytes: Buffer) => void): void {
  const frames = new Frames();
  const statements = new Statements();
  let introduced = false;
  let first: Buffer = Buffer.alloc(0);
  let parts: Frame[] = [];
  const requests = (chunk: Buffer) => {
    for (const frame of frames.push(chunk)) {
      // A password, or the end: neither asks for anything.
      if (frame.type === 'p' || frame.type === 'X') {
        upstream.write(frame.bytes);
        continue;
      }
      parts.push(frame);
      if (frame.type !== 'S' && frame.type !== 'Q') continue;
      const bytes = Buffer.concat(parts.map((each) => each.bytes));
      const what = statements.read(parts);
      parts = [];
      request(what, bytes);
    }
  };
  client.on('data', (chunk: Buffer) => {
    if (introduced) return requests(chunk);
    first = Buffer.concat([first, chunk]);
    while (!introduced && first.length >= 8 && first.length >= first.readInt32BE(0)) {
      const length = first.readInt32BE(0);
      if (ENCRYPTION.has(first.readInt32BE(4))) {
        client.write('N');
      } else {
        introduced = true;
        upstream.write(first.subarray(0, length));
      }
      first = first.subarray(length);
    }
    if (introduced && first.length > 0) requests(first);
  });
}

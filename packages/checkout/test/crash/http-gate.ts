import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { portOf } from '../support/listen.ts';
import type { Gate, Link, Moment } from './gate.ts';

/** Parts of a path that differ from payment to payment. */
const idsOf = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}|[a-z]+-[0-9a-f]{8}/g, ':id');

/** What the service sent and where it goes. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

/** What came back. */
interface Passed {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

interface Guarded {
  readonly link: Link;
  /** Where the double listens. */
  readonly target: string;
  readonly gate: Gate;
  /** Called at an armed point. */
  readonly fire: (moment: Moment) => void;
  /** Called for each connection. @returns called when an exchange on it is over: the answer was passed back, or the connection broke */
  readonly connected?: () => () => void;
}

/** Stands between the service and an HTTP double, so that the service can be killed before, in and after each exchange. */
export async function httpGate({ link, target, gate, fire, connected }: Guarded) {
  const ends = new WeakMap<Socket, () => void>();
  const server = createServer((request, response) => {
    const ended = ends.get(request.socket);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request;
      const ask = gate.arrive(link, `${method} ${idsOf(url)}`);
      const reached = (moment: Moment) => {
        const now = gate.isNow(ask, moment);
        if (now) fire(moment);
        return now;
      };
      const cut = () => void request.socket.destroy();
      const give = (reply: Passed) => {
        if (reached('done')) return cut();
        if (reached('cut')) {
          cut();
          return ended?.();
        }
        response.writeHead(reply.status, { 'content-type': reply.type });
        response.end(reply.body, () => {
          reached('answered');
          ended?.();
        });
      };
      if (reached('before')) return cut();
      passOn({ method, url: `${target}${url}`, headers, body: Buffer.concat(chunks) })
        .then(give)
        .catch(cut);
    });
  });
  if (connected) server.on('connection', (socket) => ends.set(socket, connected()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function passOn({ method, url, headers, body }: Sent): Promise<Passed> {
  const kept = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
  const reply = await fetch(url, {
    method,
    headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.byteLength > 0 && { body }),
  });
  return {
    status: reply.status,
    type: reply.headers.get('content-type') ?? 'text/plain',
    body: Buffer.from(await reply.arrayBuffer()),
  };
}

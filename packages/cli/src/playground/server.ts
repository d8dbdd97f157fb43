import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Found } from '../connectors/find-connectors.ts';
import { UsageError } from '../commands/command.ts';
import { jsonText } from '../output/json.ts';
import { pageHtml } from './page.ts';
import { createPlay, type Play } from './play.ts';

const record = z.record(z.string(), z.unknown());
const filledSchema = z.object({
  connector: z.string(),
  method: z.string(),
  session: record,
  payer: record.default({}),
});
const actSchema = z.object({
  payment: z.string(),
  act: z.enum(['settle', 'decline', 'notify']),
  mode: z.string().optional(),
});

export interface Playground {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the page on 127.0.0.1. @param version lets the page see when to reload */
export async function servePlayground(found: Found, port: number, version: string): Promise<Playground> {
  let url = '';
  let play: Play | undefined;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // An author sees the errors of the connector they work on.
      send(
        response,
        500,
        jsonText({ error: error instanceof Error ? error.message : String(error) }),
        'application/json',
      );
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // Another site could have its name point to this machine: only the own address is answered.
    if (`http://${request.headers.host}` !== url || play === undefined)
      return send(response, 403, 'Not this address.', 'text/plain');
    const path = request.url ?? '/';
    const body = await bodyOf(request);
    if (path === '/') return send(response, 200, pageHtml(version), 'text/html; charset=utf-8');
    if (path === '/api/version') return send(response, 200, jsonText({ version }), 'application/json');
    if (path.startsWith('/notify/')) {
      const taken = await play.notified(path.slice('/notify/'.length), body, headersOf(request));
      return send(response, taken.status, taken.body, 'text/plain');
    }
    const isOwn = request.method === 'GET' || request.headers['content-type'] === 'application/json';
    const answered = isOwn ? await api(play, `${request.method} ${path}`, body) : undefined;
    if (answered === undefined) return send(response, 404, 'There is no such page.', 'text/plain');
    send(response, 200, jsonText(answered), 'application/json');
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new UsageError(`Port ${port} cannot be listened on. Give another with --port.`)));
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  play = await createPlay(found, () => url);
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await play?.close();
    },
  };
}

async function api(play: Play, asked: string, body: string): Promise<unknown> {
  switch (asked) {
    case 'GET /api/state':
      return play.state();
    case 'GET /api/payments':
      return play.payments();
    case 'POST /api/preview':
      return play.preview(filledSchema.parse(JSON.parse(body)));
    case 'POST /api/send':
      return play.send(filledSchema.parse(JSON.parse(body)));
    case 'POST /api/act': {
      const { payment, act, mode } = actSchema.parse(JSON.parse(body));
      return play.act(payment, act, mode);
    }
    default:
      return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}

function send(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(body);
}

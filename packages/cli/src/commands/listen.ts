import { verifyCallback, verifyCommandCallback, webhookSignature } from '@railyard/core/merchant';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { lookOf } from '../output/look.ts';
import { listening, withoutHops } from '../record/proxy.ts';
import { askPassword, CALLBACK_SECRET, CALLBACK_SECRET_OPTIONS } from '../signatures/ask-password.ts';
import { portOf } from './serve.ts';
import { type Command, textOf, UsageError } from './command.ts';

const USUAL_PORT = 8090;
/** The service sends no callback of this size. */
const MOST_BYTES = 1_048_576;
/** How long the shop may take, as the service has it. */
const PATIENCE_MS = 20_000;

interface Heard {
  readonly at: string;
  /** Of a signed callback its words and its order. */
  readonly callback: string | undefined;
  readonly signature: string;
  readonly fields: unknown;
  /** The status that the shop answered with; `null`: none. */
  readonly forwarded?: number | null;
}

export const listen: Command = {
  usage: 'listen --forward-to URL',
  help: 'Receives callbacks on this machine, checks the signature of each, and forwards it to a local shop with the same bytes. The service hears the answer of the shop. Give the printed address to the service as callbackUrl. Without --forward-to it answers 200 itself.',
  options: {
    'forward-to': { type: 'string', hint: 'URL', says: 'the address of the shop that receives callbacks' },
    port: { type: 'string', hint: 'PORT', says: `to listen on; default: ${USUAL_PORT}; 0 for any free port` },
    ...CALLBACK_SECRET_OPTIONS,
  },
  words: [0, 0],
  async run(given, io) {
    const to = textOf(given, 'forward-to');
    if (to !== undefined && !URL.canParse(to))
      throw new UsageError('--forward-to takes an address, such as http://127.0.0.1:3000/callbacks.');
    const port = portOf(given, 'port', USUAL_PORT);
    const secret = await askPassword(given, io, 'callback secret', true, CALLBACK_SECRET);
    if (!isSecret(secret))
      throw new UsageError('A callback secret is "whsec_" and Base64. Copy it from the configuration of the checkout.');
    const json = given.values.json === true;
    const { paint } = lookOf(io.out, io.env);
    const tell = (heard: Heard) => {
      const { at, callback, signature, forwarded } = heard;
      const to = forwarded === undefined ? '' : `, forwarded: ${forwarded ?? 'no answer'}`;
      const colour = signature === 'right' ? 'green' : 'red';
      const line = `${at} ${callback ?? 'unknown'}, ${paint(colour, `signature: ${signature}`)}${to}`;
      io.out.write(`${json ? JSON.stringify(heard) : line}\n`);
    };
    const server = createServer(async (incoming, outgoing) => {
      const bytes = await bytesOf(incoming).catch(() => null);
      if (bytes === null) return void outgoing.destroy();
      if (bytes === undefined) return void outgoing.writeHead(413).end();
      const seen = look(bytes, incoming.headers, secret);
      const forwarded = to === undefined ? undefined : await forward(to, bytes, incoming.headers);
      tell({ ...seen, ...(forwarded !== undefined && { forwarded }) });
      outgoing.writeHead(forwarded === null ? 502 : (forwarded ?? 200)).end();
    });
    const { url, close } = await listening(server, port);
    io.out.write(
      `${json ? JSON.stringify({ listening: url, forward_to: to ?? null }) : `Listening at ${url}. Ctrl-C ends it.`}\n`,
    );
    await io.stopped();
    await close();
    return { code: 0, json: undefined, text: () => '' };
  },
};

function isSecret(secret: string): boolean {
  try {
    webhookSignature(secret, { id: 'msg_1', timestamp: '0' }, new Uint8Array());
    return true;
  } catch {
    return false;
  }
}

/** The body; `undefined` where it is too large. @throws where its sender breaks off */
async function bytesOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= MOST_BYTES) chunks.push(bytes);
  }
  return size > MOST_BYTES ? undefined : Uint8Array.from(Buffer.concat(chunks));
}

/** Nothing of an unsigned body is shown: it may steer the terminal. */
function look(body: Uint8Array, headers: IncomingHttpHeaders, secret: string): Heard {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const checked = verifyCallback({ body, headers, secret, now });
  if (checked.ok) {
    const { fields } = checked.callback;
    const { type, status, order_status, order_number } = fields;
    return { at, callback: `${type} ${status} ${order_status} of ${order_number}`, signature: 'right', fields };
  }
  const command = verifyCommandCallback({ body, headers, secret, now });
  if (command.ok) {
    const { fields } = command.callback;
    const { action, result, status, order_id } = fields;
    return { at, callback: `${action} ${result} ${status} of ${order_id}`, signature: 'right', fields };
  }
  const signature = command.reason === 'unreadable' ? 'right' : `wrong (${command.reason})`;
  return { at, callback: undefined, signature, fields: null };
}

/** @returns the status of the shop's answer; `null` where it gives none */
async function forward(
  to: string,
  body: Uint8Array<ArrayBuffer>,
  headers: IncomingHttpHeaders,
): Promise<number | null> {
  const reply = await fetch(to, {
    method: 'POST',
    headers: withoutHops(headers),
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.status ?? null;
}

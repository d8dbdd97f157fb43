import { readText } from '../connectors/read-json.ts';
import type { Io } from '../output/io.ts';
import { askPassword, PASSWORD_OPTIONS } from '../signatures/ask-password.ts';
import { MASK, signedText } from '../signatures/attempt.ts';
import { attemptBy, hashBy, isOneDigest } from '../signatures/formula.ts';
import { HASH_KINDS, type HashKind, REQUEST, WEBHOOK } from '../signatures/kinds.ts';
import type { Message } from '../signatures/message.ts';
import { type Answer, type Command, type Given, oneOf, type OptionSpec, textOf } from './command.ts';
import { agreed, factLines, messageOf } from './verify.ts';

export const HASH_OPTIONS = {
  digest: { type: 'string', hint: 'NAME', says: 'the inner digest: md5 (default) or sha256' },
  dialect: {
    type: 'string',
    hint: 'NAME',
    says: 'how to upper-case: ascii or unicode; default: the usual way of the message',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const sign: Command = {
  usage: `sign ${[...HASH_KINDS, WEBHOOK, REQUEST].join('|')} FILE`,
  help: 'Makes the hash of a message, or the headers of a webhook or of a signed request. In a pipe it writes the hash alone. FILE ("-": standard input) is the message: JSON, a form, the address of a return, the body of a webhook or of a request.',
  options: {
    ...PASSWORD_OPTIONS,
    ...HASH_OPTIONS,
    order: { type: 'string', hint: 'FILE', says: 'of a return: your record of the order, as JSON' },
    id: { type: 'string', hint: 'ID', says: 'of a webhook or a request: its id; default: a new one' },
    timestamp: {
      type: 'string',
      hint: 'SECONDS',
      says: 'of a webhook or a request: seconds since 1970; default: now',
    },
    key: { type: 'string', hint: 'ID', says: 'of a request: the id of the request key' },
    path: { type: 'string', hint: 'PATH', says: 'of a request: where it goes, such as /api/v1/session' },
  },
  words: [2, 2],
  async run(given, io) {
    const [what = '', name = ''] = given.positionals;
    const kind = oneOf(what, [...HASH_KINDS, WEBHOOK, REQUEST], 'What to sign');
    const text = name === '-' ? await io.readInput() : await readText(name, io.cwd);
    if (kind === REQUEST) {
      const { signRequestHeaders } = await import('./sign-request.ts');
      return signRequestHeaders(given, io, text, name !== '-');
    }
    if (kind === WEBHOOK) return signWebhook(given, io, text, name !== '-');
    const message = await messageOf(kind, text, given, io);
    const password = await askPassword(given, io, 'merchant password', name !== '-');
    const { hash, ...facts } = signMessage(kind, message, password, given);
    return {
      code: 0,
      json: { hash, ...facts },
      text: (look) => (look.rich ? [look.paint('bold', hash), ...factLines(facts)].join('\n') : hash),
    };
  },
};

/** The hash of a message, and how it is made. */
export function signMessage(kind: HashKind, { formula, fields }: Message, password: string, given: Given) {
  const digest = agreed(given) ?? 'md5';
  const asked = textOf(given, 'dialect');
  // As core does it: callbacks, returns and commands change only a-z.
  const usual = kind === 'callback' || kind === 'return' || isOneDigest(formula) ? 'ascii' : 'unicode';
  const dialect = asked === undefined ? usual : oneOf(asked, ['ascii', 'unicode'], '--dialect');
  const hash = hashBy(formula, fields, password, { digest, dialect });
  return { hash, formula, digest, dialect, hashed: signedText(attemptBy(formula, fields, password), dialect, MASK) };
}

async function signWebhook(given: Given, io: Io, body: string, inputIsFree: boolean): Promise<Answer> {
  const { webhookSignature } = await import('@railyard/core/merchant');
  const { randomUUID } = await import('node:crypto');
  const secret = await askPassword(given, io, 'callback secret', inputIsFree);
  const id = textOf(given, 'id') ?? `msg_${randomUUID()}`;
  const timestamp = textOf(given, 'timestamp') ?? String(Math.floor(Date.now() / 1000));
  const signature = webhookSignature(secret, { id, timestamp }, new TextEncoder().encode(body));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return {
    code: 0,
    json: headers,
    text: () =>
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
  };
}

import { askPassword, PASSWORD_OPTIONS } from '../signatures/ask-password.ts';
import { MASK, signedText } from '../signatures/attempt.ts';
import { diagnose } from '../signatures/diagnose.ts';
import { attemptBy, checkHash, formulaText, isOneDigest } from '../signatures/formula.ts';
import { HASH_KINDS, type HashKind, REQUEST, WEBHOOK } from '../signatures/kinds.ts';
import { type Message, readMessage } from '../signatures/message.ts';
import { readText } from '../connectors/read-json.ts';
import { type Answer, type Command, type Given, oneOf, textOf, UsageError } from './command.ts';
import type { Io } from '../output/io.ts';

export const verify: Command = {
  usage: `verify ${[...HASH_KINDS, WEBHOOK, REQUEST].join('|')} FILE`,
  help: 'Checks a signature. Prints the formula, the digest, the upper-casing and the hashed text, with the password masked. If the signature is wrong, it looks for the mistake behind it. FILE ("-": standard input) is the message as it was sent: JSON, a form, the address of a return; for a webhook or a signed request its body, with --headers.',
  options: {
    ...PASSWORD_OPTIONS,
    digest: {
      type: 'string',
      hint: 'NAME',
      says: 'the inner digest that was agreed: md5 or sha256; default: either',
    },
    hash: { type: 'string', hint: 'HEX', says: 'the hash, if the message does not carry it' },
    order: { type: 'string', hint: 'FILE', says: 'of a return: your record of the order, as JSON' },
    headers: { type: 'string', hint: 'FILE', says: 'of a webhook or a request: its headers, as JSON or as lines' },
    path: { type: 'string', hint: 'PATH', says: 'of a request: where it went, such as /api/v1/session' },
    key: { type: 'string', hint: 'ID', says: 'of a request: the id of the request key that the secret belongs to' },
    at: {
      type: 'string',
      hint: 'SECONDS',
      says: 'of a request: when it came, in seconds since 1970; default: now',
    },
  },
  words: [2, 2],
  async run(given, io) {
    const [what = '', name = ''] = given.positionals;
    const kind = oneOf(what, [...HASH_KINDS, WEBHOOK, REQUEST], 'What to verify');
    const text = name === '-' ? await io.readInput() : await readText(name, io.cwd);
    if (kind === WEBHOOK) {
      const { verifyWebhook } = await import('./verify-webhook.ts');
      return verifyWebhook(given, io, text, name !== '-');
    }
    if (kind === REQUEST) {
      const { verifyRequestHeaders } = await import('./verify-request.ts');
      return verifyRequestHeaders(given, io, text, name !== '-');
    }
    const message = await messageOf(kind, text, given, io);
    if (message.given === undefined) throw new UsageError('The message has no hash. Give it with --hash.');
    const password = await askPassword(given, io, 'merchant password', name !== '-');
    return judge(message, password, agreed(given));
  },
};

/** A message, with the order that a return needs and the hash that was given apart. */
export async function messageOf(kind: HashKind, text: string, given: Given, { cwd }: Io): Promise<Message> {
  const order = textOf(given, 'order');
  const message = readMessage(kind, text, order === undefined ? undefined : await readText(order, cwd));
  return { ...message, given: textOf(given, 'hash') ?? message.given };
}

export function agreed(given: Given): 'md5' | 'sha256' | undefined {
  const digest = textOf(given, 'digest');
  return digest === undefined ? undefined : oneOf(digest, ['md5', 'sha256'], '--digest');
}

function judge(message: Message, password: string, digest: 'md5' | 'sha256' | undefined): Answer {
  const { formula, fields, given = '' } = message;
  const found = checkHash(formula, fields, password, given);
  if (!found.ok) return refused(message, password);
  const dialect = found.dialect === 'either' ? 'ascii' : found.dialect;
  const hashed = signedText(attemptBy(formula, fields, password), dialect, MASK);
  const facts = { formula, digest: found.digest, dialect: found.dialect, hashed };
  if (digest !== undefined && digest !== found.digest)
    return {
      code: 1,
      json: {
        ok: false,
        ...facts,
        mistakes: ['digest-setting'],
        advice: `Sign with ${digest}, or agree on ${found.digest}.`,
      },
      text: (look) =>
        `${look.paint('red', `The hash was made with ${found.digest} inside; ${digest} was agreed.`)}\nSign with ${digest}, or set the merchant’s digest to ${found.digest}.`,
    };
  return {
    code: 0,
    json: { ok: true, ...facts },
    text: (look) => [look.paint('green', 'The hash is right.'), ...factLines(facts)].join('\n'),
  };
}

/** The parts and algorithms of a hash, one per line. */
export function factLines({ formula, digest, dialect, hashed }: Facts): string[] {
  return [
    `formula: ${formula} (${formulaText(formula)})`,
    `digest: ${isOneDigest(formula) ? '' : 'SHA-1 over '}${digest === 'md5' ? 'MD5' : 'SHA-256'}`,
    `upper case: ${dialect === 'either' ? 'the same in both dialects' : dialect}`,
    `hashed: ${hashed}`,
  ];
}

interface Facts {
  readonly formula: Message['formula'];
  readonly digest: string;
  readonly dialect: string;
  readonly hashed: string;
}

function refused(message: Message, password: string): Answer {
  const { formula, fields } = message;
  const expected = signedText(attemptBy(formula, fields, password), 'unicode', MASK);
  const diagnosis = diagnose(message, password);
  const facts = { ok: false, formula, expected, ...(diagnosis ?? { mistakes: [] }) };
  return {
    code: 1,
    json: facts,
    text(look) {
      const head = [
        look.paint('red', 'The hash is not right.'),
        `should be hashed: ${expected}`,
        `formula: ${formula} (${formulaText(formula)})`,
      ];
      if (diagnosis === undefined) return [...head, UNKNOWN].join('\n');
      return [...head, `It was made ${diagnosis.says}.`, `hashed: ${diagnosis.hashed}`, diagnosis.advice].join('\n');
    },
  };
}

const UNKNOWN =
  'None of the usual mistakes leads to it. Most likely the password is another one (test and live, old and new, another merchant), or a field was changed after it was signed. Compare the line above with what your program hashes.';

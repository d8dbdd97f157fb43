import { TEXTS, nestBrackets } from '@railyard/core';
import {
  bodyLimits,
  checkBody,
  choiceIssue,
  issue,
  validationAnswer,
  type Answer,
  type Issue,
  type ValidationBody,
} from '@railyard/core/protocol';
import { MIMEType } from 'node:util';
import {
  checkObject,
  compressed,
  contentTypeOf,
  formFields,
  GIVEN_TWICE,
  NOT_UTF_8,
  parseJson,
  readBytes,
  refusalOf,
  sentBy,
  unreadableBody,
  utf8,
} from '../basics/request.ts';
import { apmSale, cardDebit, cardSale } from './sale.ts';
import { cardToCard, creditToCard, creditToCrypto, creditToVirtual } from './payout.ts';
import { recurringDebit, recurringSale, retry } from './recurring-commands.ts';
import { asCommandAnswer, type Command, type CommandAnswer } from './command.ts';
import { calculateDebit, completeDebit, debitToVirtual } from './debit.ts';
import { getTransDetails, getTransStatus, getTransStatusByOrder } from './lookup.ts';
import { SCHEDULE_COMMANDS } from './schedule-commands.ts';
import { MODIFICATION_COMMANDS } from './modify.ts';
import { Hono, type Context, type Next } from 'hono';
import { jsonAnswer, logRefused, onlyPost, type HttpEnv } from '../basics/answers.ts';
import type { CommandDeps } from '../deps.ts';
import type { HeadedAnswer } from '../../idempotency.ts';

/** The commands of an action, by address; one that is absent is understood at the other addresses alone. */
interface Row {
  /** At `/post` and `/v2/post`. */
  readonly card?: Command;
  /** At `/post-va`, and at the others where the fields say so. */
  readonly apm?: Command;
}

/** The commands that are understood, by `action`. */
export const COMMANDS: ReadonlyMap<unknown, Row> = new Map<unknown, Row>([
  ['SALE', { card: cardSale, apm: apmSale }],
  ['DEBIT', { card: cardDebit }],
  ['RECURRING_SALE', { card: recurringSale }],
  ['RECURRING_DEBIT', { card: recurringDebit }],
  ['RETRY', { card: retry }],
  ['CREDIT2CARD', { card: creditToCard }],
  ['CARD2CARD', { card: cardToCard }],
  ...MODIFICATION_COMMANDS,
  ['DEBIT2VIRTUAL', { apm: debitToVirtual }],
  ['DEBIT2VIRTUAL_CALC', { apm: calculateDebit }],
  ['DEBIT2VIRTUAL_COMPLETE', { apm: completeDebit }],
  ['CREDIT2VIRTUAL', { apm: creditToVirtual }],
  ['CREDIT2CRYPTO', { apm: creditToCrypto }],
  ['GET_TRANS_STATUS', { card: getTransStatus('either'), apm: getTransStatus('apm') }],
  ['GET_TRANS_STATUS_BY_ORDER', { card: getTransStatusByOrder }],
  ['GET_TRANS_DETAILS', { card: getTransDetails }],
  ...SCHEDULE_COMMANDS.map(([action, card]) => [action, { card }] as const),
]);

/** The address of S2S APM; S2S CARD has the others (reference: Transport). */
export const APM_PATH = '/post-va';

/** The command that a body asks for at an address. Whatever names a brand belongs to S2S APM, wherever it is sent. */
export function commandFor(path: string, body: Readonly<Record<string, unknown>>): Command | undefined {
  const row = COMMANDS.get(body['action']);
  if (path === APM_PATH) return row?.apm;
  return body['brand'] === undefined ? (row?.card ?? row?.apm) : (row?.apm ?? row?.card);
}

/** The actions that an address understands. */
const actionsAt = (path: string): string[] =>
  [...COMMANDS].flatMap(([action, row]) => (path === APM_PATH && row.apm === undefined ? [] : [String(action)]));

/** The fields of a command: those of a form with its brackets resolved, or an object of JSON. */
export type ReadCommand =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly answer: Answer<ValidationBody> };

export const COMMAND_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json',
]);

/** A part costs ten times as much to read as a field of a form; the longest command has less than a hundred. */
export const MOST_PARTS = 500;

type Field = readonly [name: string, value: unknown];

/**
 * Reads the body of a command: urlencoded, multipart, or JSON, which some clients also send under the content type of forms (reference:
 * Transport). A field that is sent blank counts as not sent, except for a token. A field sent twice is refused, in JSON too (`parseJson`).
 *
 * @param type the content type without parameters
 * @param header the content type as it was sent, with the boundary of a multipart body
 */
export async function readCommandBody(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  header: string,
): Promise<ReadCommand> {
  const fields = type === 'multipart/form-data' ? await multipart(bytes, header) : urlencodedOrJson(bytes, header);
  if (fields === 'no text') return { ok: false, answer: unreadableBody(NOT_UTF_8) };
  if (fields === 'no parts') return { ok: false, answer: unreadableBody(NO_PARTS) };
  if (fields === 'charset') return refused('body', TEXTS.characters);
  if (fields === 'too many parts') return refused('body', TEXTS.keyCount(MOST_PARTS));
  if (fields === 'too many') return refused('body', TEXTS.keyCount(bodyLimits.keys));
  return 'json' in fields ? readJson(fields.json) : readFields(fields);
}

/** The fields of a body as they stand there, or why there are none. */
type Fields = readonly Field[] | 'too many' | 'too many parts' | 'charset' | 'no text' | 'no parts';

const NO_PARTS =
  'The parts of the body cannot be read. Separate them by the boundary of the content type, or send the command as application/x-www-form-urlencoded.';

async function multipart(bytes: Uint8Array<ArrayBuffer>, header: string): Promise<Fields> {
  if (hasTooManyParts(bytes, header)) return 'too many parts';
  try {
    return [...(await new Response(bytes, { headers: { 'content-type': header } }).formData())];
  } catch {
    return 'no parts';
  }
}

/** Each part begins with the boundary; the last one stands behind them all. */
function hasTooManyParts(bytes: Uint8Array<ArrayBuffer>, header: string): boolean {
  const boundary = boundaryOf(header);
  // Without one nothing is read.
  if (boundary === null) return false;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let parts = -1;
  for (let at = body.indexOf(`--${boundary}`); at !== -1; at = body.indexOf(`--${boundary}`, at + 2)) {
    parts += 1;
    if (parts > MOST_PARTS) return true;
  }
  return false;
}

/** Read by the rules (WHATWG MIME Sniffing, 4.4) that the reader of the parts goes by: with others a sender could have other parts counted. */
function boundaryOf(header: string): string | null {
  try {
    return new MIMEType(header).params.get('boundary');
  } catch {
    return null;
  }
}

/** A text that is JSON stays one. A form is in the charset that is declared, UTF-8 unless one is; bytes that it does not have are refused. */
function urlencodedOrJson(bytes: Uint8Array, header: string): Fields | { readonly json: string } {
  const text = utf8(bytes);
  if (text === undefined) return 'no text';
  return text.trimStart().startsWith('{') ? { json: text } : formIn(charsetOf(header), bytes);
}

/** The charsets that ISO 8859-1 is called by. All its bytes are characters. */
const LATIN_1: ReadonlySet<string> = new Set(['iso-8859-1', 'latin1', 'windows-1252']);

function charsetOf(header: string): string {
  try {
    return new MIMEType(header).params.get('charset')?.toLowerCase() ?? 'utf-8';
  } catch {
    return 'utf-8';
  }
}

function formIn(charset: string, bytes: Uint8Array): Fields {
  const fields = formFields(bytes);
  if (fields === undefined) return 'too many';
  const raw = Buffer.from(bytes).toString('latin1');
  if (!/%[89a-f]/i.test(raw) || charset === 'utf-8' || charset === 'utf8') return isUtf8(raw) ? fields : 'charset';
  if (!LATIN_1.has(charset)) return 'charset';
  const decoder = new TextDecoder('windows-1252');
  const read = (part: string) =>
    decoder.decode(Buffer.from(part.replaceAll('+', ' ').replaceAll(ESCAPED, asByte), 'latin1'));
  return raw.split('&').flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair === ''
      ? []
      : [[read(at < 0 ? pair : pair.slice(0, at)), at < 0 ? '' : read(pair.slice(at + 1))] as const];
  });
}

const ESCAPED = /%([0-9a-f]{2})/gi;
const asByte = (_all: string, hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));

const isUtf8 = (raw: string): boolean =>
  !/%[89a-f]/i.test(raw) || utf8(Buffer.from(raw.replaceAll(ESCAPED, asByte), 'latin1')) !== undefined;

function readJson(text: string): ReadCommand {
  const parsed = parseJson(text);
  const read = parsed.ok ? checkObject(parsed.body) : parsed;
  if (!read.ok) return read;
  // Amounts too come as numbers: a form has texts alone.
  const issues = unreadable(read.body);
  if (issues.length > 0) return { ok: false, answer: validationAnswer(issues) };
  const fields = Object.entries(read.body).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ]);
  return { ok: true, body: Object.fromEntries(fields) };
}

/** Names with brackets that are still there after nesting: nothing reads them. Without its `amount[]` a refund would be a whole one. */
const unreadable = (body: object): Issue[] =>
  Object.keys(body)
    .filter((name) => name.includes('['))
    .map((name) => issue(name, TEXTS.unexpected));

const refused = (path: string, message: string): ReadCommand => ({
  ok: false,
  answer: validationAnswer([issue(path, message)]),
});

/** Left out, it would have PAUSE and RUN mean all payers of a schedule instead of one. */
const TOKEN = 'recurring_token';

function readFields(fields: readonly Field[]): ReadCommand {
  if (fields.length > bodyLimits.keys) return refused('body', TEXTS.keyCount(bodyLimits.keys));
  const flat = new Map<string, string>();
  for (const [name, value] of fields) {
    if (typeof value !== 'string') return refused(name, TEXTS.type('string'));
    if (flat.has(name))
      return { ok: false, answer: validationAnswer([{ ...issue(name, TEXTS.notValid), hint: GIVEN_TWICE }]) };
    flat.set(name, value);
  }
  const body = nestBrackets(Object.fromEntries([...flat].filter(([name, value]) => value !== '' || name === TOKEN)));
  const { excess, forbidden } = checkBody(body);
  const issues = excess === undefined ? [...forbidden, ...unreadable(body)] : [excess];
  return issues.length === 0 ? { ok: true, body } : { ok: false, answer: validationAnswer(issues) };
}

/** Where parameters of a redirect are a list (reference: Transport of S2S CARD). */
const LISTED_PARAMS_PATH = '/v2/post';

/** Clients ask for a payout at the one and for its status at either (reference: Transport), so both understand every command. */
export const COMMAND_PATHS = ['/post', LISTED_PARAMS_PATH, APM_PATH];

/** Gives each refusal at a command's address the form of commands, also before the service has read the command. */
export async function inCommandForm(c: Context<HttpEnv>, next: Next): Promise<void> {
  c.set('refusalForm', asCommandAnswer);
  await next();
}

/** Where merchants' servers send commands. The field `action` says which. */
export function commandRoutes(context: CommandDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  for (const path of COMMAND_PATHS) {
    routes.post(path, async (c) => jsonAnswer(c, answerAt(path, await call(context, path, c))));
    routes.all(path, onlyPost);
  }
  return routes;
}

async function call(context: CommandDeps, path: string, c: Context<HttpEnv>): Promise<CommandAnswer> {
  const answered = await answerTo(context, path, c);
  if (answered.answer.status >= 400) logRefused(context, c, answered);
  return answered.answer;
}

/** An answer, and which command of which merchant its request claims to be. */
interface Answered {
  readonly answer: CommandAnswer;
  readonly call: unknown;
  readonly merchantKey: unknown;
}

async function answerTo(context: CommandDeps, path: string, c: Context<HttpEnv>): Promise<Answered> {
  const answered = (answer: CommandAnswer, body: Readonly<Record<string, unknown>> = {}): Answered => ({
    answer,
    call: body['action'] ?? path,
    merchantKey: body['client_key'],
  });
  const type = contentTypeOf(c);
  if (type === undefined) return answered(compressed());
  if (!COMMAND_TYPES.has(type))
    return answered(refusalOf(415, 'Send the command as application/x-www-form-urlencoded.'));
  const bytes = await readBytes(c);
  if (!bytes.ok) return answered(refusalOf(413, 'The request body is larger than 256 KB.'));
  const read = await readCommandBody(bytes.bytes, type, c.req.header('content-type') ?? '');
  if (!read.ok) return answered(read.answer);
  const sent = sentBy(c, bytes.bytes);
  const { action } = read.body;
  const command = commandFor(path, read.body);
  if (command === undefined) {
    const wrong = action === undefined ? issue('action', TEXTS.blank) : choiceIssue('action', actionsAt(path));
    return answered(validationAnswer([wrong]), read.body);
  }
  const received = { body: read.body, idempotencyKey: c.req.header('idempotency-key'), sent };
  return answered(await command.run(context, received), read.body);
}

/** The parameters of a redirect in the form of the address. */
function answerAt(path: string, { body, ...answer }: CommandAnswer): HeadedAnswer<object> {
  if (path !== LISTED_PARAMS_PATH) return { ...answer, body };
  if (!('redirect_params' in body)) return { ...answer, body };
  const redirect_params = Object.entries(Object(body.redirect_params)).map(([name, value]) => ({ name, value }));
  return { ...answer, body: { ...body, redirect_params } };
}

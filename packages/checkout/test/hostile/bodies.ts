import { bodyLimits } from '@railyard/core/protocol';
import { MOST_PARTS } from '../../src/http/commands/routes.ts';
import { sessionBody } from '../support/service.ts';

/** A request's body as large as the service reads, made to cost as much as it can. */
export interface HostileBody {
  readonly what: string;
  readonly type: string;
  readonly body: string;
}

const MOST = bodyLimits.bytes;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Pieces until the limit of bodies, and never above it. */
function filled(before: string, pieceOf: (index: number) => string, between: string, after: string, most = Infinity) {
  const pieces: string[] = [];
  let size = before.length + after.length;
  for (let index = 0; index < most; index += 1) {
    const piece = pieceOf(index);
    size += Buffer.byteLength(piece) + between.length;
    if (size > MOST) break;
    pieces.push(piece);
  }
  return before + pieces.join(between) + after;
}

const padded = (text: string, length: number) => text.padEnd(length, 'x');

/** The fields of a request of each kind, all sound but the signature. */
const sound = (change: Readonly<Record<string, unknown>>) => ({
  ...sessionBody(),
  hash: '0'.repeat(40),
  payment_id: 'a'.repeat(36),
  order_id: 'order-1',
  amount: '1.00',
  order_amount: '1.00',
  order_currency: 'BRL',
  order_description: 'gift',
  ...change,
});

const json = (what: string, body: string): HostileBody => ({ what: `JSON ${what}`, type: JSON_TYPE, body });
const field = (what: string, change: Readonly<Record<string, unknown>>) => json(what, JSON.stringify(sound(change)));

const long = 'a'.repeat(250_000);
const order = (change: Readonly<Record<string, unknown>>) => ({ order: { ...sessionBody().order, ...change } });
/** Pairs of surrogates, a few bytes of text each. */
const emoji = '\u{1F600}'.repeat(60_000);
const wide = (value: (index: number) => unknown, keys = 1950) =>
  Object.fromEntries(Array.from({ length: keys }, (_none, index) => [padded(`key${index}`, 60), value(index)]));

const jsonBodies = (): HostileBody[] => [
  json('of 130,000 open lists', '['.repeat(130_000)),
  json('of 125,000 lists within lists', `{"a":${'['.repeat(125_000)}${']'.repeat(125_000)}}`),
  json('of 43,000 objects within objects', `${'{"a":'.repeat(43_000)}1${'}'.repeat(43_000)}`),
  json(
    'of 30,000 keys',
    filled('{', (index) => `"${index}":0`, ',', '}'),
  ),
  json(
    'of one key 30,000 times',
    filled('{', () => '"aa":0', ',', '}'),
  ),
  json(
    'of a list of 120,000',
    filled('{"methods":[', () => '0', ',', ']}'),
  ),
  json('of escapes', `{"merchant_key":"${'\\u0000'.repeat(43_000)}"}`),
  json('of a number of 250,000 digits', `{"order":{"amount":${'9'.repeat(250_000)}}}`),
  json('of blanks', `{${' '.repeat(250_000)}`),
  json('of backslashes', `{"a":"${'\\\\'.repeat(125_000)}"}`),
  ...['merchant_key', 'hash', 'success_url', 'payment_id', 'amount', 'order_id', 'operation', 'birth_date'].map(
    (name) => field(`with a ${name} of 250,000 letters`, { [name]: long }),
  ),
  field('with an amount of 250,000 digits', { ...order({ amount: '9'.repeat(250_000) }), amount: '9'.repeat(250_000) }),
  field('with an address of dots', { success_url: `https://${'a.'.repeat(120_000)}` }),
  field('with a mail address of dots', { customer: { email: `${'a.'.repeat(120)}@` } }),
  field('with a long mail address', { customer: { email: `a@${'a.'.repeat(120_000)}` } }),
  field('with a long name', { customer: { name: 'a '.repeat(120_000) } }),
  field('with a description of pairs of surrogates', order({ description: emoji })),
  field('with a description of halves of surrogates', order({ description: '\\ud800'.repeat(40_000) })),
  field('with a description of 1,024 sharp s', order({ description: 'ß'.repeat(1024) })),
  field('with 100 methods of 2,000 letters', {
    methods: Array.from({ length: 100 }, (_none, index) => padded(`${index}`, 2000)),
  }),
  field('with 1,950 values that are no text', { custom_data: wide(() => '\u0000') }),
  field('with 1,950 numbers that lose digits', { custom_data: wide(() => 2 ** 60) }),
  field('with 1,950 keys of control characters', { parameters: { pix: wide(() => '\u0001'.repeat(8)) } }),
  field('with 1,950 fields that are forbidden', {
    custom_data: Array.from({ length: 90 }, () =>
      JSON.parse(`[${Array.from({ length: 20 }, () => '{"__proto__":1}').join(',')}]`),
    ),
  }),
  field('with parameters 30 deep', {
    parameters: JSON.parse(`${'{"a":'.repeat(28)}{"b":"${'x'.repeat(200_000)}"}${'}'.repeat(28)}`),
  }),
];

/** Commands that hold all their fields; what stands in the others is the sender's. */
const command =
  'action=CREDIT2VIRTUAL&client_key=k&brand=pix&order_id=o-1&order_amount=1.00&order_currency=BRL&hash=0&';
const form = (what: string, pieceOf: (index: number) => string, most?: number): HostileBody => ({
  what: `form ${what}`,
  type: FORM_TYPE,
  body: filled(command, pieceOf, '&', '', most),
});
const PLENTY = bodyLimits.keys - 20;

const formBodies = (): HostileBody[] => [
  form('of brackets in one object', (index) => `${padded(`parameters[${index}`, 120)}]=1`, PLENTY),
  form('of brackets in one list', (index) => `custom_data[a][${index}]=${padded('', 90)}`, PLENTY),
  form('of brackets 30 deep', (index) => `parameters${'[a]'.repeat(29)}[${index}]=1`, PLENTY),
  form('of brackets 30 deep, each apart', (index) => `parameters[${index}]${'[a]'.repeat(28)}=1`, PLENTY),
  form('of objects in a list', (index) => `custom_data[${index}][${padded('n', 90)}]=1`, PLENTY),
  form('of brackets that do not close', (index) => `parameters${'['.repeat(110)}${index}=1`, PLENTY),
  form('of one name of brackets', () => `parameters${'[a]'.repeat(83_000)}=1`, 1),
  form('of one name of open brackets', () => `parameters${'['.repeat(250_000)}=1`, 1),
  form('of names twice', (index) => `parameters[${index % 2}]=1`),
  form('of nothing', () => ''),
  form('of 30,000 fields', (index) => `${index}=`),
  form('of percents', () => '%25%5B%5D'),
  form('of one value of percents', () => `a=${'%00'.repeat(83_000)}`, 1),
  form('of a long order', () => `order_description=${'a'.repeat(250_000)}`, 1),
  form('of a long amount', () => `order_amount=${'9'.repeat(250_000)}`, 1),
  form('of a long address', () => `callback_url=https://${'a.'.repeat(120_000)}`, 1),
  form('of plus signs', () => `payee_first_name=${'+'.repeat(250_000)}`, 1),
];

const part = (name: string, value: string) =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const multipart = (what: string, pieceOf: (index: number) => string, most?: number): HostileBody => ({
  what: `multipart ${what}`,
  type: 'multipart/form-data; boundary=edge',
  body: filled('', pieceOf, '', '--edge--\r\n', most),
});

/** A content type that a careless reader takes for one with another edge. */
const twoEdges = (): HostileBody => ({
  ...multipart('of many parts, with another edge in quotes', (index) => part(`${index}`, '')),
  type: 'multipart/form-data; note="; boundary=other"; boundary=edge',
});

const multipartBodies = (): HostileBody[] => [
  twoEdges(),
  multipart('of many parts', (index) => part(`${index}`, '')),
  multipart('of brackets', (index) => part(`parameters[${index}]`, padded('', 400)), MOST_PARTS),
  multipart('of one part', () => part('a', 'a'.repeat(250_000)), 1),
  multipart('of edges', () => part('a', '\r\n--edg'.repeat(35_000)), 1),
  multipart('of a long name', () => part('['.repeat(250_000), ''), 1),
  multipart('of a long header', () => `--edge\r\nx: ${'a;'.repeat(120_000)}\r\n\r\n\r\n`, 1),
  multipart('of line ends', () => `--edge\r\n${'\r\n'.repeat(120_000)}`, 1),
];

export const hostileBodies = (): readonly HostileBody[] => [...jsonBodies(), ...formBodies(), ...multipartBodies()];

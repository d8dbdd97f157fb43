import { readFileSync } from 'node:fs';
import { signSession } from '../../src/session/session-signature.ts';

/** One hostile or odd request of `fixtures/bad-inputs.json`, as a patch of a good one. */
export interface BadInput {
  readonly id: string;
  readonly target: string;
  readonly group: string;
  readonly description: string;
  readonly patch: readonly Operation[];
  /** `false`: the hash stays that of the unpatched request. */
  readonly resign?: boolean;
  readonly expect: {
    readonly http?: readonly number[];
    readonly error_on?: string;
    readonly message?: string;
    readonly decision?: boolean;
    readonly echo?: string;
  };
}

export interface Operation {
  readonly op: string;
  readonly path?: string;
  readonly at?: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly body?: string;
  readonly json?: string;
  readonly notification_url?: string;
  readonly order?: { number: string; amount: string; currency: string; description: string };
}

export const password = 'test-password-only';

const file: { base: { session: unknown }; inputs: BadInput[] } = JSON.parse(
  readFileSync(new URL('../fixtures/bad-inputs.json', import.meta.url), 'utf8'),
);

/** The addresses of a merchant that callbacks must not reach. */
export function callbackAddresses(): { id: string; url: string }[] {
  const named = file.inputs.filter(({ group }) => group === 'ssrf.callback-url');
  return named.flatMap(({ id, patch }) =>
    patch.flatMap((each) => (each.notification_url === undefined ? [] : { id, url: each.notification_url })),
  );
}

export const sessionInputs = file.inputs.filter(({ target }) => target === 'session');

/** The operations that make another body; every other one is an instruction to a running service. */
export const bodyOperations: ReadonlySet<string> = new Set([
  'set',
  'remove',
  'raw_body',
  'raw_replace',
  'raw_append_key',
  'sign_as',
  'hash_dialect',
  'hash_upper',
  'hash_pad',
  'hash_password',
  'recase_description',
]);

interface Body {
  merchant_key: unknown;
  order: { number: string; amount: string; currency: string; description: string };
  hash: unknown;
}

/** The JSON text that a patch makes of the base request, signed unless it says otherwise. */
export function materialise(input: BadInput): string {
  const raw = input.patch.find(({ op }) => op === 'raw_body');
  if (raw !== undefined) return raw.body ?? '';
  const body: Body = JSON.parse(JSON.stringify(file.base.session).replace('{{unique}}', `ord-${input.id}`));
  body.merchant_key = '11111111-2222-4333-8444-555555555555';
  body.hash = signSession(body.order, password);
  const markers = new Map<string, string>();
  for (const operation of input.patch) apply(body, operation, markers);
  const signs = input.patch.some(({ op }) => op.startsWith('hash_') || op === 'sign_as' || op === 'recase_description');
  if (input.resign !== false && !signs) resign(body);
  let text = JSON.stringify(body);
  for (const [name, json] of markers) text = text.replace(`"${name}"`, () => json);
  return text;
}

function apply(body: Body, operation: Operation, markers: Map<string, string>): void {
  const { op, path = '', value } = operation;
  switch (op) {
    case 'set':
      return put(body, path, generate(value, markers));
    case 'remove':
      return put(body, path, undefined);
    case 'raw_replace':
      return put(body, path, marker(operation.json ?? '', markers));
    case 'raw_append_key':
      return put(
        body,
        operation.at ?? '',
        marker(`{${JSON.stringify(operation.key)}:${JSON.stringify(value)}}`, markers),
      );
    case 'sign_as':
      if (operation.order === undefined) throw new Error('sign_as names no order');
      Object.assign(body.order, operation.order);
      return put(body, '/hash', signSession(operation.order, password));
    case 'hash_dialect':
      return put(
        body,
        '/hash',
        signSession(body.order, password, { dialect: value === 'ascii' ? 'ascii' : 'unicode' }),
      );
    case 'hash_upper':
      return put(body, '/hash', String(body.hash).toUpperCase());
    case 'hash_pad':
      return put(body, '/hash', ` ${String(body.hash)} `);
    case 'hash_password':
      return put(body, '/hash', signSession(body.order, 'another-password'));
    case 'recase_description':
      return put(body, '/order/description', 'iMPORTANT GIFT');
    default:
      throw new Error(`"${op}" makes no body`);
  }
}

/** Signs what can be signed; where a signed field is no string the hash is beside the point. */
function resign(body: Body): void {
  const signed: Record<string, unknown> = { ...body.order };
  const names = ['number', 'amount', 'currency', 'description'].filter(
    (name) => name !== 'amount' || 'amount' in signed,
  );
  if (names.every((name) => typeof signed[name] === 'string')) body.hash = signSession(body.order, password);
}

/** Stands for a JSON text that matters as it is (an escape, the order of keys, depth): it is put in after serialising. */
function marker(json: string, markers: Map<string, string>): string {
  const name = `@@${markers.size}@@`;
  markers.set(name, json);
  return name;
}

function put(body: object, pointer: string, value: unknown): void {
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  let at: object = body;
  for (const name of names) {
    const next: unknown = Reflect.get(at, name);
    if (typeof next === 'object' && next !== null) at = next;
    else throw new Error(`${pointer} leads nowhere`);
  }
  if (value === undefined) Reflect.deleteProperty(at, last);
  else Reflect.set(at, last, value);
}

/** Writes the generators of the patch language out: `$repeat`, `$deep`, `$keys`, `$longkey`, `$array`. */
function generate(value: unknown, markers: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => generate(item, markers));
  if (typeof value !== 'object' || value === null) return value;
  const spec: Record<string, unknown> = { ...value };
  const count = (name: string) => Number(spec[name]);
  if ('$repeat' in spec)
    return `${spec.$prefix ?? ''}${String(spec.$repeat).repeat(count('$times'))}${spec.$suffix ?? ''}`;
  if ('$deep' in spec) return marker(`${'{"a":'.repeat(count('$deep'))}1${'}'.repeat(count('$deep'))}`, markers);
  if ('$keys' in spec) return Object.fromEntries(Array.from({ length: count('$keys') }, (_, at) => [`k${at}`, at]));
  if ('$longkey' in spec) return { ['k'.repeat(count('$longkey'))]: 1 };
  if ('$array' in spec) return Array.from({ length: count('$array') }, () => generate(spec.$of, markers));
  return Object.fromEntries(Object.entries(spec).map(([key, child]) => [key, generate(child, markers)]));
}

import { describe, expect, it } from 'vitest';
import { WRONG_HASH } from '../src/issues/texts.ts';
import { parseSession } from '../src/session/parse-session.ts';
import { verifySessionSignature } from '../src/session/session-signature.ts';
import { type BadInput, bodyOperations, materialise, password, sessionInputs } from './support/bad-inputs.ts';

/** What these inputs need that no pure function has. They are tested where it is. */
const ofTheService: Readonly<Record<string, string>> = {
  B008: 'bytes of the body',
  B010: 'bytes of the body',
  B015: 'HTTP headers',
  B017: 'HTTP headers',
  B019: 'HTTP method',
  B020: 'HTTP headers',
  B021: 'raw HTTP',
  B023: 'raw HTTP',
  B024: 'HTTP encoding',
  B064: 'merchants',
  B065: 'merchants',
  B066: 'merchants',
  B075: 'merchants',
  B086: 'repeats',
  B308: 'routing',
  B327: 'stored tokens',
  B374: 'HTTP headers',
  B405: 'stored forms',
  B418: 'repeats',
  B420: 'repeats',
  B421: 'repeats',
  B423: 'repeats',
  B425: 'repeats',
  B426: 'clock',
};

/** Which method keys exist is known to the method registry. */
const ofTheRegistry: ReadonlySet<string> = new Set(['B040', 'B041', 'B042', 'B043', 'B315']);

/** Where the list leaves the answer open: what this protocol answers. */
const decided: Readonly<Record<string, string>> = {
  B038: 'parameters.__proto__: This field was not expected.',
  B039: 'parameters.constructor: This field was not expected.',
  B044: 'custom_data.__proto__: This field was not expected.',
  B047: 'accepted',
  B059: 'accepted',
  B068: 'accepted',
  B072: 'accepted',
  B073: 'accepted',
  B074: 'accepted',
  B098: 'vat_calc: This value is only allowed with operation purchase.',
  B105: 'accepted',
  B109: 'accepted',
  B110: 'accepted',
  B111: 'accepted',
  B115: 'accepted',
  B160: 'accepted',
  B161: 'amount: This value should be greater than 0.',
  B164: 'accepted',
  B221: 'accepted',
  B222: 'order.description: This value contains characters that are not allowed.',
  B228: 'accepted',
  B251: 'accepted',
  B255: 'accepted',
  B300: 'session_expiry: This value should be of type integer.',
  B303: 'session_expiry: This value should be of type integer.',
  B309: 'accepted',
  B347: 'accepted',
  B358: 'customer.email: This value is not a valid email address.',
  B364: 'accepted',
  B372: 'accepted',
  B373: 'customer.ip: This field was not expected.',
  B408: 'custom_data: This value should be of type object.',
  B412: 'custom_data.id: This number has more digits than can be kept. Send it as a string.',
  B417: 'accepted',
};

const today = '2026-11-21';

/** The lines of the answer, none when accepted. Fields first, then the hash, as the service does it. */
function answer(body: unknown): string[] {
  const parsed = parseSession(body, {
    today,
    openAmount: (methods) => methods.length > 0 && methods.every((key) => key === 'crypto'),
  });
  if (!parsed.ok) return parsed.issues.map(({ path, message }) => `${path}: ${message}`);
  const checked = verifySessionSignature(parsed.session, { password, digest: 'both' });
  return checked.ok ? [] : [`hash: ${WRONG_HASH}`];
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields that an answer may name for this input: a zero amount is published as `amount`, a malformed body is `body`. */
function named({ expect: { error_on: field = 'any', message } }: BadInput): RegExp {
  if (message !== undefined) return new RegExp(`^${message}$`);
  return field === 'any' ? /^.+: / : new RegExp(`^${field.replaceAll('.', String.raw`\.`)}(\\.\\S+)?: .`);
}

const mine = sessionInputs.filter(({ id }) => !(id in ofTheService) && !ofTheRegistry.has(id));

describe('the list of bad inputs', () => {
  const open = mine.filter(({ id }) => id in decided);
  const wrong = mine.filter(({ id, expect }) => !(id in decided) && expect.http?.includes(200) === false);
  const fine = mine.filter(({ id, expect }) => !(id in decided) && expect.http?.includes(200) === true);

  it('is taken up whole: every entry is answered here or named with where it belongs', () => {
    expect(open.length + wrong.length + fine.length + Object.keys(ofTheService).length + ofTheRegistry.size).toBe(
      sessionInputs.length,
    );
    expect(open.map(({ id }) => id)).toEqual(Object.keys(decided));
    for (const { id, patch } of mine)
      for (const { op } of patch) expect(bodyOperations.has(op), `${id} ${op}`).toBe(true);
  });

  it.each(wrong)('refuses $id: $group, $description', (input) => {
    expect(answer(read(materialise(input)))).toContainEqual(expect.stringMatching(named(input)));
  });

  it.each(fine)('accepts $id: $group, $description', (input) => {
    expect(answer(read(materialise(input)))).toEqual([]);
  });

  it.each(open)('has one answer to $id: $group, $description', (input) => {
    expect(answer(read(materialise(input)))[0] ?? 'accepted').toBe(decided[input.id]);
  });

  it.each(mine.filter(({ expect }) => expect.echo !== undefined && expect.http?.includes(400) !== true))(
    'keeps the bytes of $id: $expect.echo',
    (input) => {
      const body = read(materialise(input));
      const parsed = parseSession(body, { today, openAmount: () => true });
      const at = (value: unknown) =>
        input.expect.echo?.split('.').reduce<unknown>((from, key) => Reflect.get(Object(from), key), value);
      expect(parsed.ok && at(parsed.session)).toEqual(at(body));
    },
  );

  it('leaves every method key to the registry', () => {
    for (const input of sessionInputs.filter(({ id }) => ofTheRegistry.has(id)))
      expect(answer(read(materialise(input))), input.id).toEqual([]);
  });

  it('leaves no trace of a forbidden key on any other object', () => {
    for (const input of mine) answer(read(materialise(input)));
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });
});

import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { signCommand } from '@railyard/core/protocol';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, PRINTED } from '../support/openapi-examples.ts';
import { collection } from '../support/postman.ts';

const made = collection();

test('the published collection is the one that the examples make (-u writes it)', async () => {
  await expect(`${JSON.stringify(made)}\n`).toMatchFileSnapshot('../../../core/postman.json');
});

const known = new Map(made.variable.map(({ key, value }) => [key, value]));

/** The part of Postman that the scripts use. */
const digest = (algorithm: string) => (text: string) => ({
  toString: () => createHash(algorithm).update(text).digest('hex'),
});

const requests = made.item.flatMap(({ item }) => item);
const examples = new Map(Object.values(EXAMPLES).map((make) => [make(PRINTED).summary + make(PRINTED).path, make]));

interface Field {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

type Made = (typeof requests)[number];

/** The hash that the script of a request makes. @param given its fields, where they are others */
function hashBy({ event = [], request }: Made, given?: readonly Field[], digestName = 'md5'): unknown {
  let raw = request.body.raw ?? '';
  const fields = new Map<string, Field>((given ?? request.body.urlencoded ?? []).map((each) => [each.key, each]));
  const variableOf = (key: string) => (key === 'digest' ? digestName : known.get(key));
  const variables = {
    get: variableOf,
    replaceIn: (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => known.get(key) ?? ''),
  };
  const body = {
    get raw() {
      return raw;
    },
    update: (text: string) => (raw = text),
    urlencoded: {
      all: () => [...fields.values()],
      upsert: (field: Field) => fields.set(field.key, field),
    },
  };
  const CryptoJS = { SHA1: digest('sha1'), MD5: digest('md5'), SHA256: digest('sha256') };
  for (const { script } of event)
    runInNewContext(script.exec.join('\n'), { pm: { variables, request: { body } }, CryptoJS });
  return raw === '' ? fields.get('hash')?.value : Reflect.get(Object(JSON.parse(raw)), 'hash');
}

test.each(requests.map((each) => [each.request.url.replace('{{base_url}}', ''), each.name, each] as const))(
  '%s: %s: the script makes the hash of the example',
  (path, name, made) => {
    const example = examples.get(name + path)?.(PRINTED);
    expect(hashBy(made)).toBe(Reflect.get(example?.body ?? {}, 'hash'));
  },
);

describe('the script of a sale', () => {
  const SALE = requests.find(({ request }) => request.body.urlencoded?.some(({ value }) => value === 'SALE'));
  const PASSWORD = known.get('password') ?? '';
  const signed = (fields: readonly Field[], digestName?: string) => SALE && hashBy(SALE, fields, digestName);
  const email = { key: 'payer_email', value: 'doe@example.com' };
  const token = { key: 'card_token', value: 'token-1' };

  test('signs the token where no number is sent', () => {
    const card = { payer_email: email.value, card: token.value };
    expect(signed([email, token])).toBe(signCommand('card', card, PASSWORD));
    expect(signed([email, token], 'sha256')).toBe(signCommand('card', card, PASSWORD, { digest: 'sha256' }));
  });

  test('signs no e-mail where none is sent, or where the field is switched off', () => {
    const hash = signCommand('card', { payer_email: '', card: token.value }, PASSWORD);
    expect([signed([token]), signed([{ ...email, disabled: true }, token])]).toEqual([hash, hash]);
  });
});

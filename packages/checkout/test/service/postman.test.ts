import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { EXAMPLES, PRINTED } from '../support/openapi-examples.ts';
import { collection } from '../support/postman.ts';

const made = collection();

test('the published collection is the one that the examples make (-u writes it)', async () => {
  await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot('../../../core/postman.json');
});

const known = new Map(made.variable.map(({ key, value }) => [key, value]));

/** The part of Postman that the scripts use. */
const digest = (algorithm: string) => (text: string) => ({
  toString: () => createHash(algorithm).update(text).digest('hex'),
});

const requests = made.item.flatMap(({ item }) => item);
const examples = new Map(Object.values(EXAMPLES).map((make) => [make(PRINTED).summary + make(PRINTED).path, make]));

test.each(requests.map((each) => [each.request.url.replace('{{base_url}}', ''), each.name, each] as const))(
  '%s: %s: the script makes the hash of the example',
  (path, name, { event = [], request }) => {
    const example = examples.get(name + path)?.(PRINTED);
    let raw = request.body.raw ?? '';
    const fields = new Map((request.body.urlencoded ?? []).map(({ key, value }) => [key, value]));
    const variables = {
      get: (key: string) => known.get(key),
      replaceIn: (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => known.get(key) ?? ''),
    };
    const body = {
      get raw() {
        return raw;
      },
      update: (text: string) => (raw = text),
      urlencoded: {
        all: () => [...fields].map(([key, value]) => ({ key, value })),
        upsert: ({ key, value }: { key: string; value: string }) => fields.set(key, value),
      },
    };
    const CryptoJS = { SHA1: digest('sha1'), MD5: digest('md5') };
    for (const { script } of event)
      runInNewContext(script.exec.join('\n'), { pm: { variables, request: { body } }, CryptoJS });
    const hash = raw === '' ? fields.get('hash') : Reflect.get(Object(JSON.parse(raw)), 'hash');
    expect(hash).toBe(Reflect.get(example?.body ?? {}, 'hash'));
  },
);

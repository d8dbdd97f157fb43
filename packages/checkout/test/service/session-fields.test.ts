import { readFileSync } from 'node:fs';
import { sessionSchema, signSession } from '@railyard/core/protocol';
import { withGenerated } from '@railyard/core/markdown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CheckoutConfig } from '../../src/index.ts';
import { mirrorConnector, mirrorProvider } from '../support/mirror-connector.ts';
import { callbackSecret, receiver } from '../support/receiver.ts';
import { merchant, post, pressPay, sessionBody, startOn } from '../support/service.ts';
import { type Effect, type Seen, SESSION_EFFECTS } from '../support/session-effects.ts';

let at = Date.now();
let provider: Awaited<ReturnType<typeof mirrorProvider>>;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startOn>>;

const configOn = (port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [mirrorConnector],
  mids: [
    { id: 'north', channels: ['north'], connector: 'mirror', settings: { base_url: `${provider.url}/north` } },
    { id: 'any', connector: 'mirror', settings: { base_url: provider.url } },
  ],
  merchants: [
    {
      ...merchant,
      name: 'Test shop',
      vat: { NL: '21' },
      forms: { '57fddecf-17b9-4d38-9320-a670f0c29ec0': { button: '#123456' } },
      callbackUrl: shop.url,
      callbackSecret,
      methods: [
        { key: 'mirror', mid: ['any', 'north'] },
        { key: 'mirror-again', title: 'mirror-again', method: 'mirror', mid: 'any' },
      ],
    },
  ],
});

beforeAll(async () => {
  provider = await mirrorProvider();
  shop = await receiver();
  service = await startOn(configOn, { clock: () => at });
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

/** A request with its fields put at their paths, signed unless it brings a hash. */
function bodyOf(fields: Readonly<Record<string, unknown>>) {
  const body = sessionBody({ methods: ['mirror'] });
  for (const [path, value] of Object.entries(fields)) {
    const [top = '', name] = path.split('.');
    const block = { ...Object(Reflect.get(body, top)) };
    Reflect.set(body, top, name === undefined ? value : { ...block, [name]: value });
  }
  return { ...body, hash: fields['hash'] ?? signSession(body.order, merchant.password) };
}

async function create(fields: Readonly<Record<string, unknown>>) {
  at += 16_000;
  const body = bodyOf(fields);
  const { json } = await post(`${service.url}/api/v1/session`, body);
  return { body, json, page: String(Reflect.get(Object(json), 'redirect_url')) };
}

/** The page as its payer has it, and where it sends the payer. */
async function look(page: string, path = '', method = 'GET') {
  const reply = await fetch(`${page}${path}`, { method, redirect: 'manual' });
  const text = await reply.text();
  const to = reply.headers.get('location') ?? '';
  return to.startsWith('/auth/') ? `${to} ${await (await fetch(new URL(to, page))).text()}` : `${to} ${text}`;
}

async function pay(fields: Readonly<Record<string, unknown>>) {
  const { page, body } = await create(fields);
  await pressPay(page, { method: 'mirror' });
  return { page, number: body.order.number };
}

const SEE: Readonly<Record<Seen, (fields: Readonly<Record<string, unknown>>) => Promise<string>>> = {
  answer: async (fields) => JSON.stringify((await create(fields)).json),
  page: async (fields) => look((await create(fields)).page),
  'paid page': async (fields) => look((await pay(fields)).page),
  cancelled: async (fields) => look((await create(fields)).page, '/cancel', 'POST'),
  async later(fields) {
    const { page } = await create(fields);
    at += 120_000;
    return look(page);
  },
  async provider(fields) {
    await pay(fields);
    return provider.asked.at(-1) ?? '';
  },
  async callback(fields) {
    const { number } = await pay(fields);
    return (await shop.until((each) => each.fields['order_number'] === number)).body;
  },
};

const paths = Object.entries(sessionSchema.shape).flatMap(([name, schema]) => {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape).map((each) => `${name}.${each}`) : [name];
});

const seen = Object.entries(SESSION_EFFECTS).flatMap(([path, effect]) =>
  'seen' in effect ? [{ path, ...effect }] : [],
);
const elsewhere = Object.entries(SESSION_EFFECTS).flatMap(([path, effect]) =>
  'shownBy' in effect ? [{ path, ...effect }] : [],
);

describe('the fields of a session request', () => {
  test('each have an effect: the list is that of the schema, in its order', () => {
    expect(Object.keys(SESSION_EFFECTS)).toEqual(paths);
  });

  test.each(seen)('$path changes something: $seen', async ({ send, seen: where, text, beside = {} }) => {
    expect(await SEE[where]({ ...beside, ...send })).toContain(text);
    expect(await SEE[where](beside)).not.toContain(text);
  });

  test.each(elsewhere)('$path changes something, as $shownBy shows', ({ shownBy, title }) => {
    expect(readFileSync(new URL(`../${shownBy}`, import.meta.url), 'utf8')).toContain(title);
  });

  test('are listed in the documentation with what they do', async () => {
    const rows = Object.entries(SESSION_EFFECTS).map(
      ([path, { does }]: [string, Effect]) => `| \`${path}\` | ${does} |`,
    );
    const place = new URL('../../../../docs/session-fields.md', import.meta.url);
    const text = readFileSync(place, 'utf8');
    await expect(
      withGenerated(text, { fields: ['| field | does |', '|---|---|', ...rows].join('\n') }),
    ).toMatchFileSnapshot(place.pathname);
  });
});

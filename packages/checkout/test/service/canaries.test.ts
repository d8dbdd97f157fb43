import { signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog, startCheckout } from '../../src/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns } from '../support/all-columns.ts';
import { type Behaviour, canaryConfig, newCanaries, talkativeProvider } from '../support/canaries.ts';
import { holds } from '../support/card-canary.ts';
import { newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { saveCard } from '../support/saved-card.ts';

/** Columns that are still plain, and why: `table.column` → which secrets. Nothing may be added. */
const STILL_PLAIN: Readonly<Record<string, readonly string[]>> = {};

const canaries = newCanaries();
/** What was secret and became known while the test ran: the tokens of pages. */
const tokens: string[] = [];
const lines: string[] = [];
/** Answers of the service: status line, headers and body, without the one answer that hands a token out. */
const answers: string[] = [];
const callbacks: string[] = [];
/** Payments as an operator reads them. */
const stories: string[] = [];
const columns: { readonly place: string; readonly text: string }[] = [];

let orders = 0;

beforeAll(async () => {
  const provider = await talkativeProvider();
  const shop = await receiver();
  const made = await newDataDir();
  await saveCard(made.place, canaries.cardToken);
  const port = await freePort();
  const config = canaryConfig(canaries, { providerUrl: provider.url, callbackUrl: `${shop.url}/callbacks`, port });
  const log = createLog({ write: (line) => lines.push(line) });
  const checkout = await startCheckout({ ...config, ...made.place }, { log });
  const heard = async (reply: Response) => {
    const text = await reply.text();
    answers.push(`${reply.status} ${JSON.stringify([...reply.headers])} ${text}`);
    return text;
  };
  for (const behaves of ['pays', 'refuses', 'echoes', 'garbles', 'silent'] satisfies Behaviour[]) {
    provider.state.behaves = behaves;
    const page = await open(checkout.url);
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${page}/${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    const shown = async (reply: Response) => {
      const text = `${reply.status} ${JSON.stringify([...reply.headers])} ${await reply.text()}`;
      // The page's own address stands in the page, and where its forms lead back to it; nowhere else may it be.
      answers.push(text.replaceAll(page.split('/').at(-1) ?? page, ''));
    };
    await shown(await fetch(page));
    await shown(await post('pay', { method: 'coded' }));
    await shown(await post('answer', { step: 'collect', code: canaries.collectedCode }));
    await shown(await fetch(page));
    await shop.until(({ fields }) => fields.order_number === `canary-${orders}`);
  }
  const bad = (path: string, body: string, headers = {}) =>
    fetch(`${checkout.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    }).then(heard);
  await bad(
    '/api/v1/session',
    JSON.stringify({ ...body(), hash: canaries.password, card_token: [canaries.cardToken] }),
  );
  await bad('/api/v1/session', `{"password": "${canaries.password}"`);
  await bad('/api/v1/payment/status', JSON.stringify({ merchant_key: canaries.merchantKey, hash: canaries.password }));
  await bad('/notify/coded', canaries.webhookSecret, { 'x-api-key': canaries.credential });
  await bad(`/${canaries.cardToken}`, '');
  for (let order = 1; order <= orders; order += 1)
    for (const { payment } of await checkout.payments.find(`canary-${order}`))
      if (payment !== null) stories.push(JSON.stringify(await checkout.payments.show(payment.id)));
  await checkout.stop();
  callbacks.push(...shop.received.map((each) => JSON.stringify(each)));
  const { databaseUrl } = made.place;
  const database = await openDatabase(
    databaseUrl === undefined ? made.place : { url: databaseUrl, poolSize: 2, onLost: () => undefined },
  );
  columns.push(...(await allColumns(database.db)));
  await database.close();
  await made.remove();
  await shop.close();
  await provider.close();
}, 120_000);

afterAll(() => {
  tokens.length = 0;
});

function body() {
  orders += 1;
  const order = { number: `canary-${orders}`, amount: '10.00', currency: 'USD', description: 'Important gift' };
  return {
    merchant_key: canaries.merchantKey,
    operation: 'purchase',
    methods: ['coded'],
    order,
    success_url: 'https://shop.example/success',
    card_token: [canaries.cardToken],
    hash: signSession(order, canaries.password),
  };
}

/** Opens a session. @returns the address of its page */
async function open(url: string): Promise<string> {
  const reply = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `key-${orders}` },
    body: JSON.stringify(body()),
  });
  const page = String(Reflect.get(Object(await reply.json()), 'redirect_url'));
  tokens.push(page.split('/').at(-1) ?? '');
  return page;
}

/** Which secrets stand in a text: as they are, as a database writes bytes, or within Base64. */
function found(text: string): string[] {
  const { merchantKey: _public, ...secrets } = canaries;
  const all: [string, string][] = [
    ...Object.entries(secrets),
    ...tokens.map((token): [string, string] => ['page', token]),
  ];
  return all.flatMap(([name, value]) =>
    text.includes(Buffer.from(value).toString('hex')) || holds(text, value) ? [name] : [],
  );
}

describe('no secret', () => {
  test('is in a line of the log', () => {
    expect(lines.length).toBeGreaterThan(10);
    // What was echoed did come near: the calls are told, and so is that they failed.
    expect(lines.join('')).toContain('provider-call');
    for (const line of lines) expect(found(line), line).toEqual([]);
    for (const line of lines) expect(line.trimEnd(), line).not.toContain('\n');
  });

  test('is in an answer', () => {
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((answer) => !answer.includes('"x-request-id"'))).toEqual([]);
    for (const answer of answers) expect(found(answer), answer).toEqual([]);
  });

  test('is in a callback', () => {
    expect(callbacks.length).toBeGreaterThanOrEqual(5);
    for (const callback of callbacks) expect(found(callback), callback).toEqual([]);
  });

  test('is in the story of a payment', () => {
    expect(stories.length).toBeGreaterThanOrEqual(5);
    for (const story of stories) expect(found(story), story).toEqual([]);
  });

  test('is in a plain column of the database', () => {
    expect(columns.some(({ place, text }) => place === 'sessions.request_text' && text !== '')).toBe(true);
    const plain = new Map<string, Set<string>>();
    for (const { place, text } of columns)
      for (const name of found(text)) plain.set(place, (plain.get(place) ?? new Set()).add(name));
    expect(Object.fromEntries([...plain].map(([place, names]) => [place, [...names]]))).toEqual(STILL_PLAIN);
  });

  test('would go unseen if there were one', () => {
    expect(found(`x ${canaries.password} y`)).toEqual(['password']);
    expect(found(`\\x00${Buffer.from(canaries.cardToken).toString('hex')}`)).toEqual(['cardToken']);
    expect(found(tokens.at(0) ?? '')).toEqual(['page']);
    for (const before of ['', 'a', 'ab'])
      expect(found(btoa(`${before}${canaries.credential}, and more`))).toEqual(['credential']);
  });
});

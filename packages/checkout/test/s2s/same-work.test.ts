import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { cardDigits, signCommand } from '@railyard/core/protocol';
import type { KyselyPlugin } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { cardConfig } from '../support/card-config.ts';
import { CARD_NUMBER, onTransaction, PAYER_EMAIL, saleFields, transactionHash } from '../support/card-commands.ts';
import { cardProvider } from '../support/card-provider.ts';
import type { Fields } from '../support/commands.ts';
import { useDatabase } from '../support/database.ts';
import { merchant } from '../support/service.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();

/** What a request cost, in the order in which it was done. */
let work: string[] = [];

/** Notes the queries that go through it. */
const noting: KyselyPlugin = {
  transformQuery({ node }) {
    work.push(`query: ${node.kind}`);
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

let send: (fields: Fields) => Promise<Readonly<Record<string, unknown>>>;
let sold: { readonly trans_id: string; readonly order_id: string; readonly recurring_token: string };

/** The routes in this process, with everything noted that takes time: queries, digests, and texts that are sealed or opened. */
beforeEach(async (ctx) => {
  const provider = await cardProvider();
  const given = { providerUrl: provider.url, callbackUrl: 'http://127.0.0.1:1', port: 0 };
  const { context, close } = serviceContext(database.db.withPlugin(noting), cardConfig(given), Date.now);
  const { sealer } = context;
  const seal = vi.spyOn(sealer, 'seal');
  const open = vi.spyOn(sealer, 'open');
  const digest = vi.spyOn(crypto, 'hash');
  syncBuiltinESMExports();
  const app = createApp(context, createChanges());
  send = async (fields) => {
    work = [];
    for (const spy of [seal, open, digest]) spy.mockClear();
    const reply = await app.request('/post', { method: 'POST', body: new URLSearchParams(fields) });
    const json: unknown = await reply.json();
    const { calls } = digest.mock;
    const sealing = seal.mock.calls.length + open.mock.calls.length;
    work.push(`sealed or opened: ${sealing}`, ...calls.map(([algorithm]) => `digest: ${algorithm}`));
    return Object(json);
  };
  ctx.onTestFinished(async () => {
    digest.mockRestore();
    syncBuiltinESMExports();
    await close();
    await provider.close();
  });
  const { trans_id, order_id, recurring_token } = await send(saleFields({ recurring_init: 'Y' }));
  sold = { trans_id: String(trans_id), order_id: String(order_id), recurring_token: String(recurring_token) };
});

const UNKNOWN = '00000000-1111-4222-8333-444444444444';
const FORGED = 'f'.repeat(32);
const card = cardDigits(CARD_NUMBER);

const byTransaction =
  (action: string) =>
  (trans_id: string, hash = transactionHash(trans_id)): Fields =>
    onTransaction(action, trans_id, { hash });

const byOrder = (order_id: string, hash?: string): Fields => ({
  action: 'GET_TRANS_STATUS_BY_ORDER',
  client_key: merchant.key,
  order_id,
  hash: hash ?? signCommand('card_order', { payer_email: PAYER_EMAIL, order_id, card }, merchant.password),
});

const byMandate = (recurring_first_trans_id: string, hash?: string): Fields => ({
  action: 'RECURRING_SALE',
  client_key: merchant.key,
  order_id: 'charge-1',
  order_amount: '3.00',
  order_description: 'Later',
  recurring_first_trans_id,
  recurring_token: sold.recurring_token,
  hash: hash ?? signCommand('card', { payer_email: PAYER_EMAIL, card }, merchant.password),
});

const ACTIONS = ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS', 'CAPTURE', 'VOID', 'CREDITVOID', 'RETRY'];

/**
 * A clock would say little on a machine with other work, so the work itself is compared: as many queries of the same kinds, as many
 * digests, as many texts sealed or opened (protocol: Errors, not-found lookups).
 */
test.each<[string, (id: string, hash?: string) => Fields, 'trans_id' | 'order_id']>([
  ...ACTIONS.map((action) => [action, byTransaction(action), 'trans_id'] as [string, typeof byOrder, 'trans_id']),
  ['GET_TRANS_STATUS_BY_ORDER', byOrder, 'order_id'],
  ['RECURRING_SALE', byMandate, 'trans_id'],
])('%s of an unknown id and with a wrong hash takes the same work', async (_action, fields, name) => {
  const answers: unknown[] = [];
  const works: (readonly string[])[] = [];
  for (const asked of [fields(UNKNOWN), fields(UNKNOWN, FORGED), fields(sold[name], FORGED)]) {
    const { request_id: _id, ...json } = await send(asked);
    answers.push(json);
    works.push(work);
  }
  expect(work.filter((each) => each.startsWith('query')).length).toBeGreaterThan(0);
  expect(work.filter((each) => each.startsWith('digest')).length).toBeGreaterThan(0);
  expect(works).toEqual([works[0], works[0], works[0]]);
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
});

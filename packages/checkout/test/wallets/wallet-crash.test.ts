import { applePayWallet, googlePayWallet } from '@railyard/connector-card/wallet-tokens';
import { acquirerConnector } from '@railyard/connector-card';
import { signSession } from '@railyard/core/protocol';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailableError } from '../../src/storage/index.ts';
import { loadSession } from '../../src/http/page/load-session.ts';
import { startWithWallet } from '../../src/payments/runs/attempt.ts';
import { startPayment } from '../../src/payments/pay.ts';
import { executeStarted } from '../../src/payments/runs/execute.ts';
import { resolveFor } from '../../src/payments/runs/attempt.ts';
import { runInput } from '../../src/payments/payment.ts';
import { readWallet } from '../../src/cards/wallet.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { cardBody } from '../support/card-service.ts';
import { useDatabase } from '../support/database.ts';
import { serviceContext } from '../support/service-context.ts';
import { merchant } from '../support/service.ts';
import { appleSettings, appleToken, googleSettings } from '../support/wallet-service.ts';

const database = useDatabase();
let made: ReturnType<typeof serviceContext>;
const sent: string[] = [];

beforeEach(() => {
  sent.length = 0;
  const config = {
    publicUrl: 'http://127.0.0.1:1',
    connectors: [acquirerConnector],
    wallets: [applePayWallet, googlePayWallet],
    mids: [
      {
        id: 'cards',
        connector: acquirerConnector.id,
        settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 'secret-of-sixteen-letters' },
        defaults: { 'apple-pay': { card_flow: 'decrypted' } },
      },
    ],
    merchants: [
      {
        ...merchant,
        name: 'Shop',
        methods: [{ key: 'apple-pay', mid: 'cards' }],
        wallets: { 'apple-pay': appleSettings, 'google-pay': googleSettings },
      },
    ],
  };
  made = serviceContext(database.db, config, Date.now);
});
afterEach(() => made.close());

async function newSession(context: ServiceDeps) {
  const body = cardBody({ methods: ['apple-pay'] });
  const created = await createSession.handle(
    context,
    JSON.stringify({ ...body, hash: signSession(body.order, merchant.password) }),
  );
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const loaded = await loadSession(context, token);
  if (loaded === undefined) throw new Error(`There is no session: ${JSON.stringify(created.body)}`);
  return loaded.session;
}

test('a process that dies after it opened a token charges nothing, and the token cannot be used again', async () => {
  const transport: ServiceDeps['transport'] = {
    async send({ url }) {
      sent.push(new URL(url).pathname);
      return {
        kind: 'reply',
        status: 404,
        headers: { 'content-type': 'application/json' },
        body: '{"code":"not_found"}',
      };
    },
  };
  const context: ServiceDeps = { ...made.context, transport };
  const token = appleToken();
  const session = await newSession(context);
  const [route] = session.routes;
  const wallet = session.merchant.wallets.get('apple-pay');
  if (route === undefined || wallet === undefined) throw new Error('There is no wallet.');
  const read = readWallet(context, session, route, wallet, token);
  const resolved = resolveFor(context, session, route, { answers: {} }, undefined).value;
  if (!read.ok || resolved === undefined) throw new Error('The token is not taken.');
  const input = runInput(resolved, {}, read.attempt);
  const started = await startWithWallet(context, session, route, { ip: undefined }, { input, wallet: read.attempt });
  if (started === undefined || started === 'token-used') throw new Error('Nothing began.');
  // Another process goes on: what was in memory is gone.
  context.securityCodes.clear();
  await executeStarted(context, started, session);
  expect(await context.stores.payments.find(started.payment.id)).toMatchObject({
    state: 'declined',
    digitalWallet: 'applepay',
    panType: 'dpan',
  });
  expect(sent.filter((path) => path.endsWith('/sales'))).toEqual([]);
  const payer = { methodKey: 'apple-pay', answers: {}, ip: undefined };
  expect(await startPayment(context, await newSession(context), { ...payer, walletToken: token })).toMatchObject({
    kind: 'invalid',
    issues: [{ path: 'wallet_token' }],
  });
});

test('a token that was refused is not used up, and a token of an attempt that did not begin neither', async () => {
  const { context } = made;
  const token = appleToken();
  const payer = { methodKey: 'apple-pay', answers: {}, ip: undefined, walletToken: token };
  const session = await newSession(context);
  await context.stores.sessions.close(session.stored.id, 'cancelled');
  expect(await startPayment(context, session, payer)).toEqual({ kind: 'busy' });
  expect(await startPayment(context, await newSession(context), payer)).toMatchObject({ kind: 'started' });
});

test.each([
  ['was lost', new DatabaseUnavailableError('unknown', new Error('x')), true],
  ['says that nothing was stored', new DatabaseUnavailableError('none', new Error('x')), false],
])(
  'the secrets of a token are held from before its payment is stored: the answer to that %s',
  async (_name, error, isHeld) => {
    const { context } = made;
    const runs: string[] = [];
    const insert = context.stores.payments.insertWithToken.bind(context.stores.payments);
    context.stores.payments.insertWithToken = (payment) => {
      runs.push(payment.run.runId);
      expect(context.securityCodes.of(payment.run.runId)).toBeDefined();
      return Promise.reject(error);
    };
    onTestFinished(() => void (context.stores.payments.insertWithToken = insert));
    const payer = { methodKey: 'apple-pay', answers: {}, ip: undefined, walletToken: appleToken() };
    await expect(startPayment(context, await newSession(context), payer)).rejects.toBe(error);
    expect(runs.map((each) => context.securityCodes.of(each) !== undefined)).toEqual([isHeld]);
  },
);

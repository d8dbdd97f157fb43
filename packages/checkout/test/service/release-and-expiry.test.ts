import { signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSession } from '../../src/http/page/load-session.ts';
import { modifyPayment } from '../../src/payments/modify.ts';
import { applyChange } from '../../src/payments/change/apply.ts';
import { startPayment } from '../../src/payments/pay.ts';
import { syncPayment } from '../../src/payments/lookups.ts';
import { MAX_POLLS } from '../../src/payments/change/plan.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import type { Payment } from '../../src/storage/index.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { merchant, pixConfig, sessionBody } from '../support/service.ts';

const database = useDatabase();
let at: number;
let pix: PixProvider;
let cards: Awaited<ReturnType<typeof anyMethodProvider>>;

beforeAll(async () => {
  pix = await pixProvider();
  cards = await anyMethodProvider();
});

afterAll(async () => {
  await pix.close();
  await cards.close();
});

beforeEach(() => {
  at = Date.parse('2026-11-21T12:00:00Z');
});

type Made = ReturnType<typeof serviceContext>;

/** A payment as it stands after its first answer. */
async function begin(
  { context }: Made,
  methodKey: string,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Payment> {
  const body = sessionBody({ methods: [methodKey], ...change });
  const signed = { ...body, hash: signSession(body.order, merchant.password) };
  const created = await createSession.handle(context, JSON.stringify(signed));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error(`There is no session: ${JSON.stringify(created.body)}`);
  const started = await startPayment(context, session, { methodKey, answers: {}, ip: undefined });
  const payment = started.kind === 'started' ? await context.stores.payments.find(started.paymentId) : undefined;
  if (payment === undefined) throw new Error('The payment did not start.');
  return payment;
}

/** The three words of every callback of a payment, in order. */
async function told({ context }: Made, paymentId: string): Promise<string[]> {
  const callbacks = await context.stores.callbacks.ofPayment(paymentId);
  return callbacks.map((callback) => {
    const fields = new URLSearchParams(openText(context.sealer, callback.body, sealedAt.callbackBody(callback.id)));
    return ['type', 'status', 'order_status'].map((name) => fields.get(name)).join(' ');
  });
}

describe('releasing a hold', () => {
  test('is the flow that voids, given that money is held, and ends reversed', async () => {
    const config = anyMethodConfig({ providerUrl: cards.url, callbackUrl: 'http://127.0.0.1:1', port: 0 });
    const made = serviceContext(database.db, config, () => at);
    const { id } = await begin(made, 'card', { auth: true });
    expect(await modifyPayment(made.context, id, { modification: 'release' })).toMatchObject({
      kind: 'acted',
      payment: { state: 'reversed' },
    });
    expect(cards.acts.ledger.map(({ kind }) => kind)).toEqual(['release']);
    expect(await told(made, id)).toEqual(['sale success pending', 'reversal success reversal']);
    expect(await modifyPayment(made.context, id, { modification: 'capture' })).toEqual({
      kind: 'refused',
      why: 'not-allowed',
    });
    await made.close();
  });
});

describe('an unpaid attempt', () => {
  test('expires with its last lookup, and money that comes later settles it', async () => {
    const made = serviceContext(database.db, pixConfig(pix, 'http://127.0.0.1:1', 0), () => at);
    [pix.lifetimeMs, pix.clock] = [1000, () => at];
    const payment = await begin(made, 'pix');
    await syncPayment(made.context, { ...payment, polls: MAX_POLLS });
    expect((await made.context.stores.payments.find(payment.id))?.state).toBe('pending');
    // The code is over with the session, and what was paid in time had an hour to come.
    at += 3_601_000;
    await syncPayment(made.context, { ...payment, polls: MAX_POLLS });
    expect(await made.context.stores.payments.find(payment.id)).toMatchObject({
      state: 'expired',
      reason: 'The session expired before it was paid.',
    });

    const providerReference = payment.providerReference ?? '';
    const amount = { text: '10.00', minor: 1000n, currency: 'BRL', exponent: 2 };
    const outcome = { status: 'settled', providerReference, amount } as const;
    const change = { kind: 'outcome', outcome, via: 'notification' } as const;
    expect(await applyChange(made.context, payment.id, { change })).toMatchObject({ result: 'applied' });
    expect(await told(made, payment.id)).toEqual(['sale waiting pending', 'sale fail decline', 'sale success settled']);
    await made.close();
  });
});

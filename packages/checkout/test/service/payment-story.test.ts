import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncPayment } from '../../src/payments/lookups.ts';
import { paymentOperator } from '../../src/payments/operators.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { beginPix } from '../support/begin-pix.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig, sessionBody } from '../support/service.ts';

const database = useDatabase();
let provider: PixProvider;
let made: ReturnType<typeof serviceContext>;
let at = Date.now();

beforeAll(async () => {
  provider = await pixProvider();
  made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), () => at);
});

afterAll(() => Promise.all([made.close(), provider.close()]));

const operator = () => paymentOperator(made.context);

/** A payment whose provider says this of it. */
async function begun(status = 'PENDING') {
  provider.beforeReply = (entry) => {
    entry.status = status;
    return true;
  };
  const id = await beginPix(made.context);
  const payment = await made.context.stores.payments.find(id);
  if (payment === undefined || payment.providerReference === null) throw new Error('The payment did not begin.');
  return { ...payment, providerReference: payment.providerReference };
}

describe('an operator finds a payment', () => {
  test('by order number, payment, session, our reference and the provider’s, and no other payment', async () => {
    const [wanted] = [await begun(), await begun()];
    const ids = [
      wanted.orderNumber,
      wanted.id,
      wanted.sessionId ?? '',
      wanted.merchantReference,
      wanted.providerReference,
    ];
    for (const id of ids)
      expect(await operator().find(id), id).toMatchObject([
        {
          session: wanted.sessionId,
          orderNumber: wanted.orderNumber,
          payment: {
            id: wanted.id,
            state: 'pending',
            amountText: '10.00',
            providerReference: wanted.providerReference,
          },
        },
      ]);
  });

  test.each(['', 'nothing', '00000000-0000-4000-8000-000000000000', "' OR true --", '%'])(
    'by %j not at all',
    async (text) => {
      await begun();
      expect(await operator().find(text)).toEqual([]);
    },
  );

  test('whose payer has not used a method yet, as a session without a payment', async () => {
    const body = sessionBody();
    await createSession.handle(made.context, JSON.stringify(body));
    expect(await operator().find(body.order.number)).toMatchObject([{ sessionState: 'open', payment: null }]);
  });

  test('among the sessions of one order number, newest first, as many as asked for', async () => {
    const body = sessionBody();
    await createSession.handle(made.context, JSON.stringify(body));
    // Beyond the time in which the same order is refused as a duplicate.
    at += 3_600_000;
    await createSession.handle(made.context, JSON.stringify(body));
    const [newest, oldest] = await operator().find(body.order.number);
    expect(newest?.createdAt.getTime()).toBe((oldest?.createdAt.getTime() ?? 0) + 3_600_000);
    expect(await operator().find(body.order.number, { limit: 1 })).toEqual([newest]);
  });
});

describe('the story of a payment', () => {
  const whats = (story: Awaited<ReturnType<ReturnType<typeof operator>['show']>>) =>
    story.entries.map(({ what, facts }) => [
      what,
      facts['to'] ?? facts['step'] ?? facts['flow'] ?? facts['seq'] ?? null,
    ]);

  test('that waits for its payer: its session, its call, its changes and its callback, and the next lookup', async () => {
    const { id } = await begun();
    const story = await operator().show(id);
    expect(whats(story).map(([what]) => what)).toEqual(
      expect.arrayContaining(['session', 'flow', 'step', 'changed', 'callback']),
    );
    expect(story.entries[0]).toMatchObject({ what: 'session', facts: { operation: 'purchase', payer: 'page' } });
    expect(story.entries.filter(({ what }) => what === 'step')).toMatchObject([{ facts: { state: 'done', sends: 1 } }]);
    expect(story.entries.toSorted((one, other) => one.at.getTime() - other.at.getTime())).toEqual(story.entries);
    expect(story.awaits.join(' ')).toMatch(
      /The service asks the provider at .* It has asked 0 times\..*The callback .* is sent at/,
    );
    expect(story.actions).toEqual(['sync', 'resolve']);
  });

  test('whose outcome is unknown says so, and that nothing asks any more once the lookups have ended', async () => {
    const { id } = await begun('SOMETHING_NEW');
    await made.context.stores.payments.schedulePoll(id, null);
    const story = await operator().show(id);
    expect([story.payment.state, story.payment.unknown, story.actions]).toEqual(['pending', true, ['sync', 'resolve']]);
    expect(story.awaits.filter((each) => !each.startsWith('The callback'))).toEqual([]);
  });

  test('that was paid has the lookup’s word, and leaves nothing to do', async () => {
    const { id } = await begun();
    const charge = provider.ledger.at(-1);
    const payment = await made.context.stores.payments.find(id);
    if (charge === undefined || payment === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    await syncPayment(made.context, payment);
    const story = await operator().show(id);
    expect(story.entries).toContainEqual(
      expect.objectContaining({ what: 'changed', facts: expect.objectContaining({ to: 'settled', via: 'status' }) }),
    );
    expect([story.payment.state, story.actions]).toEqual(['settled', []]);
  });

  test.each(['nonsense', '00000000-0000-4000-8000-000000000000'])('of the unknown id %s is refused', async (id) => {
    await expect(operator().show(id)).rejects.toThrow(`There is no payment ${id}. "railyard-checkout payments find"`);
  });
});

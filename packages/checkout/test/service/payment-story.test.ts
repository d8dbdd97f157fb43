import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncPayment } from '../../src/payments/lookups.ts';
import { paymentOperator } from '../../src/payments/operators.ts';
import { hiding } from '../../src/payments/masked.ts';
import { takeNotification } from '../../src/notifications/receive.ts';
import { createSealer } from '../../src/secrets/index.ts';
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
  made = serviceContext(database.db, threeAccounts(), () => at);
});

/** Of three accounts the first takes small amounts alone. */
function threeAccounts() {
  const config = pixConfig(provider, 'http://127.0.0.1:1', 0);
  const [account] = config.mids;
  const [merchant] = config.merchants;
  if (account === undefined || merchant === undefined) throw new Error('There is no account.');
  const small = { limits: { pix: [{ currency: 'BRL', max: '5.00' }] } };
  return {
    ...config,
    mids: [{ ...account, id: 'pix-small', ...small }, account, { ...account, id: 'pix-spare' }],
    merchants: [{ ...merchant, methods: [{ key: 'pix', mid: ['pix-small', 'pix-main', 'pix-spare'] }] }],
  };
}

afterAll(() => Promise.all([made.close(), provider.close()]));

const operator = () => paymentOperator(made.context);

/** A payment whose provider says this of it. */
async function begun(status = 'PENDING', change: Readonly<Record<string, unknown>> = {}) {
  provider.beforeReply = (entry) => {
    entry.status = status;
    return true;
  };
  const id = await beginPix(made.context, 'pix', change);
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

test.each([
  ['123.456.789-09', 'paid by 12345678909'],
  ['0712 345 678', '+254712345678'],
  ['+254712345678', '0712345678'],
  ['Maria', 'MARIASILVA'],
])('a provider’s other form of the payer’s text %s is masked whole: %s', (text, said) => {
  expect(hiding([text])(said)).toBe('•••');
  expect(hiding([text])('PENDING 10.00')).toBe('PENDING 10.00');
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

  test('shows the request and the callback with masked persons, and the reply as far as its connector marks it visible', async () => {
    const customer = { name: 'Maria Silva', email: 'maria@payer.example' };
    const { id, orderNumber, providerReference } = await begun('PENDING', { customer });
    const story = await operator().show(id);
    const factsOf = (what: string) => story.entries.find((each) => each.what === what)?.facts;
    expect(factsOf('session')?.['request']).toMatchObject({
      operation: 'purchase',
      methods: ['pix'],
      order: { number: orderNumber, amount: '10.00', currency: 'BRL', description: '•••' },
      customer: { name: '•••', email: '•••' },
      success_url: '•••',
    });
    expect(factsOf('step')?.['reply']).toMatchObject({ body: { qr_code_id: providerReference, status: 'PENDING' } });
    expect(factsOf('callback')?.['body']).toMatchObject({
      id,
      order_number: orderNumber,
      status: 'waiting',
      customer_name: '•••',
      customer_email: '•••',
      hash: '•••',
    });
    expect(JSON.stringify(story)).not.toMatch(/Maria|maria@/);
  });

  test('hides a text of the payer that a provider repeats in a visible field', async () => {
    const { id } = await begun('MARIA SILVA', { customer: { name: 'MARIA SILVA' } });
    const reply = (await operator().show(id)).entries.find(({ what }) => what === 'step')?.facts['reply'];
    expect(reply).toMatchObject({ body: { status: '•••' } });
  });

  test('hides the parts and other forms of the payer’s texts in a reply', async () => {
    const customer = { name: 'João Li Silva' };
    const said = ['LI', 'Silva_J', 'JOAO', 'joaolisilva'];
    for (const status of said) {
      const { id } = await begun(status, { customer });
      const story = await operator().show(id);
      expect(JSON.stringify(story)).not.toMatch(/\bLI\b|silva|joao/i);
      const reply = story.entries.find(({ what }) => what === 'step')?.facts['reply'];
      expect(JSON.stringify(reply), status).toContain('"status":"•••');
    }
  });

  test('hides an order number that looks like a card’s number, wherever it stands', async () => {
    const { id } = await begun('PENDING', sessionBody({}, { number: '4111111111111111' }));
    const story = await operator().show(id);
    expect(story.payment.orderNumber).toBe('•••');
    expect(JSON.stringify(story)).not.toContain('411111');
  });

  test('masks the reply whole where the request cannot be read', async () => {
    const { id, sessionId } = await begun();
    const damaged = { requestText: 'damaged' };
    await database.db
      .updateTable('sessions')
      .set(damaged)
      .where('id', '=', sessionId ?? '')
      .execute();
    const { entries } = await operator().show(id);
    expect(entries[0]?.facts['request']).toMatch(/^It cannot be read here/);
    expect(entries.find(({ what }) => what === 'step')?.facts['reply']).toMatchObject({ body: '•••' });
  });

  test('masks the reply whole where the entries of a flow cannot be read', async () => {
    const { id } = await begun();
    await database.db.updateTable('flowRuns').set({ inputText: '"damaged"' }).where('paymentId', '=', id).execute();
    const { entries } = await operator().show(id);
    expect(entries.find(({ what }) => what === 'step')?.facts['reply']).toMatchObject({ body: '•••' });
  });

  test('says that the request was erased, names no accounts, and masks the reply whole', async () => {
    const { id, sessionId } = await begun();
    const erasedAt = new Date(at);
    await database.db
      .updateTable('sessions')
      .set({ erasedAt })
      .where('id', '=', sessionId ?? '')
      .execute();
    const { entries } = await operator().show(id);
    const factsOf = (what: string) => entries.find((each) => each.what === what)?.facts;
    expect(factsOf('session')?.['request']).toBe(`The request was erased at ${erasedAt.toISOString()}.`);
    expect(factsOf('attempt')).not.toHaveProperty('accounts');
    expect(factsOf('step')?.['reply']).toMatchObject({ body: '•••' });
  });

  test('says that the reply of a step is not shown where no endpoint has its name', async () => {
    const { id } = await begun();
    const { runId } = (await made.context.stores.runs.ofPayment(id))[0] ?? {};
    await database.db
      .updateTable('journal')
      .set({ step: 'get-charge-after' })
      .where('runId', '=', runId ?? '')
      .execute();
    const { entries } = await operator().show(id);
    expect(entries.find(({ what }) => what === 'step')?.facts['reply']).toMatch(/^Reply not shown: no endpoint/);
  });

  test('does not say why an account before the chosen one was passed over if it accepts the request', async () => {
    const { id } = await begun();
    await database.db.updateTable('payments').set({ midId: 'pix-spare' }).where('id', '=', id).execute();
    const attempt = (await operator().show(id)).entries.find(({ what }) => what === 'attempt');
    expect(attempt?.facts['accounts']).toMatchObject({
      'pix-main': 'accepts the request; why it was passed over is not stored',
      'pix-spare': 'chosen',
    });
  });

  test('says of each account of the method why it was chosen or passed over', async () => {
    const { id } = await begun();
    const [first, ...others] = (await operator().show(id)).entries.filter(({ what }) => what === 'attempt');
    expect([first?.facts, others]).toEqual([
      {
        payment: id,
        attempt: 1,
        method: 'pix',
        account: 'pix-main',
        state: 'pending',
        accounts: {
          'pix-small': 'does not accept the request: order.amount: This value should be less than or equal to 5.00.',
          'pix-main': 'chosen',
          'pix-spare': 'accepts the request, and stands behind the chosen account',
        },
      },
      [],
    ]);
  });

  test('that a notification settled shows it with the names of its fields, and its values masked', async () => {
    const { id, providerReference } = await begun();
    const { context } = made;
    const mid = context.directory.mid('pix-main');
    if (mid === undefined) throw new Error('There is no account.');
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    await takeNotification(context, mid, provider.notificationOf(charge, { at }));
    const story = await operator().show(id);
    const [arrived] = story.entries.filter(({ what }) => what === 'notification');
    expect(arrived?.facts).toMatchObject({ state: 'handled', tries: 1 });
    expect(JSON.stringify(arrived?.facts['body'])).toContain('"status":"•••"');
    expect(JSON.stringify(arrived?.facts)).not.toContain(providerReference);
    expect(story.payment.state).toBe('settled');
  });

  test('whose key is missing can be read but for sealed texts', async () => {
    const { id } = await begun();
    const sealer = createSealer([randomBytes(32)]);
    const { entries } = await paymentOperator({ ...made.context, sealer }).show(id);
    const sealed = entries.flatMap(({ facts }) => [facts['request'], facts['reply'], facts['body']]);
    const texts = sealed.filter((each) => each !== undefined);
    expect(texts.length).toBeGreaterThanOrEqual(3);
    expect(new Set(texts)).toEqual(
      new Set(['It cannot be read here: the key is missing, a newer version stored it, or it is damaged.']),
    );
  });

  test.each(['nonsense', '00000000-0000-4000-8000-000000000000'])('of the unknown id %s is refused', async (id) => {
    await expect(operator().show(id)).rejects.toThrow(`There is no payment ${id}. "railyard-checkout payments find"`);
  });
});

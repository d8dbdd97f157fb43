import { describe, expect, it } from 'vitest';
import { rig, usd, visa } from './support/rig.ts';

const card = visa('01/38');
const bodyOf = (body: string | undefined): unknown => JSON.parse(body ?? '');

describe('a sale', () => {
  it('sends amount in minor units, the card, the payer, and the parameters under their own names', async () => {
    const { pay, sent, receiver } = await rig();
    await pay('ref-1', {
      card,
      parameters: {
        descriptor: 'SHOP BOOKS',
        document_type: 'cpf',
        document_number: '529.982.247-25',
        social_name: 'Maria Silva',
        fiscal_country: 'BR',
        cart: { items: [{ name: 'Hat', quantity: 2 }] },
      },
      mid: { sets: ['descriptor', 'tax-document', 'order'] },
    });
    expect(bodyOf(sent[0]?.body)).toEqual({
      reference: 'ref-1',
      amount: 2500,
      currency: 'USD',
      description: 'Two books',
      notification_url: receiver.url,
      return_url: 'https://pay.example/back',
      card: {
        number: '4111111111111111',
        cvv: '123',
        expiry_month: '01',
        expiry_year: '2038',
        holder: 'Ada Example',
      },
      payer: {
        name: 'Ada Example',
        email: 'ada@example.com',
        address: {},
        ip: '192.0.2.7',
        browser: {
          user_agent: 'Browser',
          accept: 'text/html',
          language: 'en',
          java_script_enabled: true,
          java_enabled: false,
          color_depth: 24,
          screen_height: 1080,
          screen_width: 1920,
          time_zone_offset: -60,
        },
      },
      parameters: {
        descriptor: 'SHOP BOOKS',
        document_type: 'cpf',
        document_number: '52998224725',
        social_name: 'Maria Silva',
        fiscal_country: 'BR',
        cart: { items: [{ name: 'Hat', quantity: '2' }] },
      },
    });
  });

  it.each([
    ['pending-then-settled', 'pending'],
    ['declined', 'declined'],
    ['settled', 'settled'],
  ] as const)('of another card is %s: %s', async (scenario, status) => {
    const { pay } = await rig({ scenario });
    const { outcome } = await pay('ref-1', { card: visa('01/38', { number: '5555555555554444' }) });
    expect(outcome).toMatchObject({ status });
  });
});

describe('a card that is saved', () => {
  const first = { req_token: true };
  const stored = { ...card, cvv: undefined, stored: true };

  it.each([
    ['is not told of unless the account says so', { card, session: first }, undefined],
    ['is told of as the first', { card, session: first, cardOnFile: true }, { use: 'first', reason: 'unscheduled' }],
    ['is told of as a later one', { card: stored, cardOnFile: true }, { use: 'later', initiator: 'payer' }],
    ['starts a chain', { card, session: { recurring_init: true } }, { use: 'first', reason: 'recurring' }],
  ])('%s', async (_what, wanted, expected) => {
    const { pay, sent } = await rig();
    await pay('ref-1', wanted);
    const body = bodyOf(sent[0]?.body);
    expect(body).toHaveProperty('card.number');
    expect(Reflect.get(Object(body), 'stored_credential')).toEqual(expected);
  });

  it('keeps the agreement of a card on file', async () => {
    const { pay } = await rig();
    expect((await pay('ref-1', { card, session: first, cardOnFile: true })).outcome).toHaveProperty(
      'agreement.agreement',
    );
  });

  it('is debited without its code', async () => {
    const { pay, sent, books } = await rig();
    expect((await pay('ref-1', { operation: 'debit', card: stored })).outcome).toMatchObject({ status: 'settled' });
    expect(sent[0]?.url).toMatch(/\/v1\/debits$/);
    expect(sent[0]?.body).not.toContain('cvv');
    expect(books()).toEqual(['charge 25.00 USD', 'settled 25.00 USD']);
  });
});

describe('a zero amount', () => {
  const wanted = { card, amount: '0.00', session: { recurring_init: true } };

  it('verifies the card where the account does that', async () => {
    const { pay, sent } = await rig();
    const { outcome } = await pay('ref-1', { ...wanted, mid: { zero_amount: 'verified' } });
    expect(sent[0]?.url).toMatch(/\/v1\/verifications$/);
    expect(outcome).toMatchObject({
      status: 'settled',
      amount: { minor: 0n },
      agreement: { agreement: expect.any(String) },
    });
  });

  it('is declined without asking elsewhere', async () => {
    const { pay, sent } = await rig();
    expect((await pay('ref-1', wanted)).outcome).toMatchObject({ status: 'declined', kind: 'hard' });
    expect(sent).toEqual([]);
  });
});

it('a transfer goes from card to card', async () => {
  const { pay, sent, books, simulator } = await rig();
  const { outcome } = await pay('ref-1', {
    operation: 'transfer',
    session: { payee: { name: 'Bo Example' } },
    card: visa('01/38', { payee: '5555555555554444' }),
  });
  expect(outcome).toMatchObject({ status: 'settled' });
  expect(bodyOf(sent[0]?.body)).toMatchObject({ payee: { card: { number: '5555555555554444' } } });
  expect(books()).toEqual(['charge 25.00 USD', 'settled 25.00 USD']);
  expect(JSON.stringify(simulator.payments())).not.toMatch(/5555555555554444/);
});

describe.each([
  ['card-redirect', 'WALLET_A'],
  ['card-redirect-alt', 'WALLET_B'],
])('%s', (method, wallet_type) => {
  const session = {
    error_url: 'https://shop.example/error',
    billing_address: { address: 'Moor Building', country: 'GB', city: 'London', zip: 'N1' },
  };

  it('sends the payer to the wallet, and is paid there', async () => {
    const { pay, sent, books } = await rig();
    const { nextAction, outcome } = await pay('ref-1', { method, session, mid: { subdomain: 'shop-1' } });
    expect(nextAction).toMatchObject({ kind: 'visit', method: 'GET' });
    expect(outcome).toMatchObject({ status: 'settled' });
    expect(bodyOf(sent[0]?.body)).toMatchObject({
      wallet_type,
      subdomain: 'shop-1',
      payer: { ip: '192.0.2.7', name: 'Ada Example', address: { city: 'London' } },
    });
    expect(books()).toEqual(['charge 25.00 USD', 'settled 25.00 USD']);
  });

  it('takes sales only', async () => {
    const { pay, sent } = await rig();
    const { outcome } = await pay('ref-1', { method, session: { ...session, auth: true } });
    expect(outcome).toMatchObject({ status: 'declined', kind: 'hard' });
    expect(sent).toEqual([]);
  });

  it('takes the card that was entered here, where the account has that flow', async () => {
    const { pay, sent } = await rig();
    const { outcome } = await pay('ref-1', { method, session, mid: { flow: 'card' }, card: visa('12/38') });
    expect(outcome).toMatchObject({ status: 'settled' });
    expect(bodyOf(sent[0]?.body)).toMatchObject({ card: { number: '4111111111111111', cvv: '123' } });
    expect(sent[0]?.body).not.toContain('wallet_type');
  });
});

describe('an action', () => {
  async function paid(session: object = {}) {
    const at = await rig();
    const wanted = { card, session };
    const { outcome } = await at.pay('ref-1', wanted);
    return { ...at, payment: at.known('ref-1', outcome.providerReference, wanted) };
  }

  it('refunds in parts, and never more than was paid', async () => {
    const { act, payment, books } = await paid();
    const refund = (id: string, amount: string) =>
      act(`run-${id}`, 'refund', { payment, id, amount: usd(amount), remaining: usd('25.00') });
    const first = await refund('r-1', '10.00');
    const second = await refund('r-2', '15.00');
    expect([first, second]).toMatchObject([
      { status: 'settled', amount: { text: '10.00' } },
      { status: 'settled', amount: { text: '15.00' } },
    ]);
    expect(first.providerReference).not.toBe(second.providerReference);
    expect(await refund('r-3', '0.01')).toMatchObject({ status: 'declined' });
    expect(books().slice(2)).toEqual(['refund 10.00 USD', 'refund 15.00 USD']);
  });

  it('voids money that is not cleared yet', async () => {
    const { act, lookUp, payment, books } = await paid();
    expect(await act('run-v', 'void', { payment, id: 'v-1', held: false })).toMatchObject({
      status: 'settled',
      amount: { text: '25.00' },
    });
    expect(books().slice(2)).toEqual(['cancel 25.00 USD']);
    expect(await lookUp('run-s', payment)).toEqual({ events: [] });
  });

  it('lets go of a hold, which a lookup reports as a reversal', async () => {
    const { act, lookUp, payment, books } = await paid({ auth: true });
    expect(await act('run-v', 'void', { payment, id: 'v-1', held: true })).toMatchObject({ status: 'settled' });
    expect(books().slice(1)).toEqual(['void 25.00 USD']);
    expect(await lookUp('run-s', payment)).toMatchObject({ events: [{ kind: 'reversal' }] });
  });

  it('is found by its own reference and by the acquirer’s', async () => {
    const { act, payment } = await paid();
    const asked = { payment, id: 'r-1', amount: usd('10.00'), remaining: usd('25.00') };
    const { providerReference: reference } = await act('run-r', 'refund', asked);
    const action = { name: 'refund', id: 'r-1', amount: usd('10.00') };
    const ours = await act('run-a', 'modificationStatus', { payment, modification: action });
    const theirs = await act('run-b', 'modificationStatus', {
      payment,
      modification: { ...action, providerReference: reference },
    });
    expect([ours, theirs]).toMatchObject([
      { status: 'settled', providerReference: reference },
      { status: 'settled', providerReference: reference },
    ]);
    const none = await act('run-c', 'modificationStatus', { payment, modification: { ...action, id: 'r-9' } });
    expect(none).toMatchObject({ status: 'unknown' });
  });
});

describe('a lookup', () => {
  it('finds a payment by our reference after a lost reply, and is unknown where there is none', async () => {
    const { pay, lookUp, known } = await rig();
    await pay('ref-1', { card });
    expect(await lookUp('run-1', known('ref-1', undefined, { card }))).toMatchObject({
      status: 'settled',
    });
    expect(await lookUp('run-2', known('ref-2', undefined, { card }))).toMatchObject({
      status: 'unknown',
    });
  });
});

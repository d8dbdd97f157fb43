import { expect, it } from 'vitest';
import { rig, usd, visa } from './support/rig.ts';

/** The test cards of the protocol's reference (Test data; S2S CARD, Test cards). */

it('01/38 is paid, and is reported once', async () => {
  const { pay, books, simulator, receiver } = await rig();
  const { outcome, nextAction } = await pay('ref-1', { card: visa('01/38') });
  expect(outcome).toMatchObject({ status: 'settled', amount: { text: '25.00' }, provider: { status: 'APPROVED' } });
  expect(nextAction).toBeUndefined();
  expect(books()).toEqual(['charge 25.00 USD', 'settled 25.00 USD']);
  await simulator.idle();
  expect(receiver.events).toMatchObject([
    { kind: 'payment', merchantReference: 'ref-1', outcome: { status: 'settled' } },
  ]);
});

it('01/38 is held with auth, and captured once, whole or in part', async () => {
  const { pay, act, known, books } = await rig();
  const wanted = { card: visa('01/38'), session: { auth: true } };
  const { outcome } = await pay('ref-1', wanted);
  expect(outcome).toMatchObject({ status: 'authorized', amount: { text: '25.00' } });
  const payment = known('ref-1', outcome.providerReference, wanted);
  const amounts = { amount: usd('10.00'), remaining: usd('25.00') };
  const captured = await act('run-2', 'capture', { payment, id: 'c-1', ...amounts });
  expect(captured).toMatchObject({ status: 'settled', amount: { text: '10.00' } });
  expect(captured.providerReference).not.toBe(outcome.providerReference);
  expect(await act('run-3', 'capture', { payment, id: 'c-2', ...amounts })).toMatchObject({ status: 'declined' });
  expect(books()).toEqual(['authorize 25.00 USD', 'capture 10.00 USD', 'settled 10.00 USD']);
});

it('01/38 is the only one that gives an agreement for further charges', async () => {
  const { pay, act, known, books } = await rig();
  const first = await pay('ref-1', { card: visa('01/38'), session: { recurring_init: true } });
  expect(first.outcome).toMatchObject({ status: 'settled', agreement: { agreement: expect.any(String) } });
  const other = await pay('ref-2', { card: visa('05/38'), session: { recurring_init: true } });
  expect(other.outcome).toMatchObject({ status: 'settled' });
  expect(other.outcome).not.toHaveProperty('agreement');

  const initial = known('ref-1', first.outcome.providerReference, {}, first.outcome.agreement);
  const { card: _none, ...payment } = known('ref-3', undefined, { amount: '7.00' });
  const again = await act('run-3', 'recurring', { payment, initial });
  expect(again).toMatchObject({ status: 'settled', amount: { text: '7.00' } });
  expect(books().slice(-2)).toEqual(['charge 7.00 USD', 'settled 7.00 USD']);
  const held = await act('run-5', 'recurring', {
    payment: { ...payment, merchantReference: 'ref-5', auth: true },
    initial,
  });
  expect(held).toMatchObject({ status: 'authorized' });
  expect(await act('run-4', 'recurring', { payment, initial: { ...initial, agreement: {} } })).toMatchObject({
    status: 'declined',
    kind: 'hard',
  });
});

it('02/38 is declined', async () => {
  const { pay, books } = await rig();
  const { outcome } = await pay('ref-1', { card: visa('02/38') });
  expect(outcome).toMatchObject({ status: 'declined', kind: 'soft', reason: 'Declined by processing.' });
  expect(books()).toEqual(['charge 25.00 USD', 'declined 25.00 USD']);
});

it('03/38 is held, and its capture is declined', async () => {
  const { pay, act, lookUp, known, books } = await rig();
  const wanted = { card: visa('03/38'), session: { auth: true } };
  const { outcome } = await pay('ref-1', wanted);
  const payment = known('ref-1', outcome.providerReference, wanted);
  const asked = { payment, id: 'c-1', amount: usd('25.00'), remaining: usd('25.00') };
  expect(await act('run-2', 'capture', asked)).toMatchObject({ status: 'declined' });
  const action = { name: 'capture', id: 'c-1', amount: usd('25.00') };
  expect(await act('run-3', 'modificationStatus', { payment, modification: action })).toMatchObject({
    status: 'declined',
  });
  expect(await lookUp('run-4', payment)).toMatchObject({ status: 'authorized' });
  expect(books()).toEqual(['authorize 25.00 USD']);
});

it('05/38 is paid after the challenge, to which the payer goes with a POST form', async () => {
  const { pay, books } = await rig();
  const { nextAction, outcome } = await pay('ref-1', { card: visa('05/38') });
  expect(nextAction).toMatchObject({ kind: 'visit', method: 'POST', fields: { creq: expect.any(String) } });
  expect(outcome).toMatchObject({ status: 'settled', amount: { text: '25.00' } });
  expect(books()).toEqual(['charge 25.00 USD', 'settled 25.00 USD']);
});

it('05/38 with auth is held after the challenge', async () => {
  const { pay } = await rig();
  const { outcome } = await pay('ref-1', { card: visa('05/38'), session: { auth: true } });
  expect(outcome).toMatchObject({ status: 'authorized' });
});

it('06/38 is declined after the challenge', async () => {
  const { pay, books } = await rig();
  const { nextAction, outcome } = await pay('ref-1', { card: visa('06/38') });
  expect(nextAction).toMatchObject({ kind: 'visit', method: 'POST' });
  expect(outcome).toMatchObject({ status: 'declined', reason: 'Declined by processing.' });
  expect(books()).toEqual(['charge 25.00 USD', 'declined 25.00 USD']);
});

it.each([
  ['12/38', 'settled'],
  ['12/39', 'declined'],
])('%s is %s after a redirect', async (expiry, status) => {
  const { pay, books } = await rig();
  const { nextAction, outcome } = await pay('ref-1', { card: visa(expiry) });
  expect(nextAction).toMatchObject({ kind: 'visit', method: 'GET', fields: {} });
  expect(outcome).toMatchObject({ status });
  expect(books()).toEqual(['charge 25.00 USD', `${status} 25.00 USD`]);
});

it('1111 2222 3333 4444 is refused before there is a payment', async () => {
  const { pay, books } = await rig();
  const { outcome } = await pay('ref-1', { card: visa('01/38', { number: '1111222233334444' }) });
  expect(outcome).toMatchObject({ status: 'declined', reason: 'Bad Request. Brand of card does not support.' });
  expect(books()).toEqual([]);
});

it('4601 5418 3377 6519 receives a payout', async () => {
  const { pay, books, sent } = await rig({ scenario: 'declined' });
  const { outcome } = await pay('ref-1', {
    operation: 'credit',
    session: { payee: { name: 'Ada Example' } },
    card: { number: '4601541833776519', expiry: '01/38' },
  });
  expect(outcome).toMatchObject({ status: 'settled' });
  expect(sent[0]?.body).not.toContain('cvv');
  expect(books()).toEqual(['payout 25.00 USD', 'settled 25.00 USD']);
});

it('other cards do what the scenario says', async () => {
  const { pay } = await rig({ scenario: 'declined' });
  const { outcome } = await pay('ref-1', { card: visa('01/38', { number: '5555555555554444' }) });
  expect(outcome).toMatchObject({ status: 'declined' });
});

it('the acquirer keeps no card number and no code, and what the network carried is the card', async () => {
  const { pay, simulator, sent } = await rig();
  await pay('ref-1', { card: visa('05/38', { cvv: '737' }) });
  expect(sent[0]?.body).toContain('4111111111111111');
  const kept = JSON.stringify([simulator.payments(), simulator.ledger(), simulator.deliveries()]);
  expect(kept).not.toMatch(/4111111111111111|(?<![\da-f-])737(?![\da-f-])/);
});

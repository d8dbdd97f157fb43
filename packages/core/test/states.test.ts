import { describe, expect, test } from 'vitest';
import { money, settled } from '../src/index.ts';
import {
  MODIFICATION_STATES,
  MODIFICATION_TRANSITIONS,
  modificationWords,
  callbackWords,
  decideModification,
  LEGAL_MOVES,
  MOVES,
  newPayment,
  PAYMENT_STATES,
  statusWord,
  TRANSITIONS,
} from '../src/payment.ts';
import { statesDocument } from './support/states-document.ts';

test('docs/states.md is what the table says', async () => {
  // After a change of the table: pnpm vitest run --project core states -u
  await expect(statesDocument()).toMatchFileSnapshot('../../../docs/states.md');
});

describe('the table of states', () => {
  test('lets every state be reached', () => {
    const reached = new Set(LEGAL_MOVES.map(({ to }) => to));
    expect(PAYMENT_STATES.filter((state) => !reached.has(state))).toEqual([]);
  });

  test('lets a payment that is over back only where what ended it failed late, or a dispute was won', () => {
    const over = ['voided', 'refunded', 'reversed', 'charged_back'];
    const back = TRANSITIONS.filter(({ from }) => over.includes(from)).map(({ from, on, to }) => `${from} ${on} ${to}`);
    expect(back).toEqual([
      'voided void-failed settled',
      'reversed release-failed authorized',
      'refunded refund-failed settled',
      'charged_back chargeback-won settled',
      'charged_back chargeback-won refunded',
    ]);
  });

  test('takes a final state back into money only, and a decline only by asking', () => {
    const back = LEGAL_MOVES.filter(({ from }) => from === 'declined' || from === 'expired');
    expect(back.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual([
      'declined authorized',
      'declined partially_approved',
      'declined pending',
      'declined settled',
      'expired authorized',
      'expired partially_approved',
      'expired pending',
      'expired settled',
    ]);
    expect(TRANSITIONS.filter(({ from, solicited: asked }) => from === 'declined' && asked !== true)).toEqual([]);
  });

  test('never lets settled money become pending or declined, and held again only where its capture failed late', () => {
    const back = LEGAL_MOVES.filter(({ from }) => from === 'settled').map(({ to }) => to);
    expect(back.toSorted()).toEqual(['authorized', 'charged_back', 'refunded', 'reversed', 'voided']);
    const held = TRANSITIONS.filter(({ from, to }) => from === 'settled' && to === 'authorized');
    expect(held.map(({ on }) => on)).toEqual(['capture-failed']);
  });

  test('says once what an outcome does, and for every state and outcome', () => {
    for (const state of PAYMENT_STATES) expect(Object.keys(MOVES[state])).toHaveLength(5);
    const keys = TRANSITIONS.map(({ from, on, to }) => `${from} ${on} ${to}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(MOVES.settled).toMatchObject({ declined: 'conflict', pending: 'ignore' });
    expect(MOVES.declined).toMatchObject({ settled: 'conflict', authorized: 'conflict' });
    expect(MOVES.expired).toMatchObject({ settled: 'settled', declined: 'ignore' });
  });

  test('lets a modification end once, but for a success that fails late', () => {
    const out = MODIFICATION_TRANSITIONS.filter(({ from }) => from === 'succeeded' || from === 'failed');
    const again = out.filter(({ to }) => to !== 'set-aside');
    expect(again.map(({ from, on, to }) => `${from} ${on} ${to}`)).toEqual(['succeeded declined failed']);
    expect(MODIFICATION_STATES).toContain('requested');
  });
});

describe('callback words', () => {
  const settled = { state: 'settled', unknown: false } as const;

  test('follow the reference for every state', () => {
    const told = PAYMENT_STATES.map((state) =>
      Object.values(callbackWords('debit', { state, unknown: false })).join(' '),
    );
    expect(told).toEqual([
      'debit waiting prepare',
      'debit waiting pending',
      'debit success pending',
      'debit waiting pending',
      'debit success settled',
      'debit fail decline',
      'debit fail decline',
      'void success void',
      'refund success refund',
      'reversal success reversal',
      'chargeback success chargeback',
    ]);
  });

  test('say undefined of an unknown outcome, and pending in a lookup', () => {
    const payment = { state: 'pending', unknown: true } as const;
    expect(callbackWords('purchase', payment)).toEqual({ type: 'sale', status: 'undefined', order_status: 'prepare' });
    expect(statusWord(payment)).toBe('pending');
  });

  test('report a refund as refund when it is full, settled when partial, decline when it failed', () => {
    const refund = (state: 'succeeded' | 'failed' | 'pending' | 'unknown') =>
      Object.values(modificationWords({ name: 'refund', state }, settled)).join(' ');
    expect(
      Object.values(modificationWords({ name: 'refund', state: 'succeeded' }, { ...settled, state: 'refunded' })),
    ).toEqual(['refund', 'success', 'refund']);
    expect(refund('succeeded')).toBe('refund success settled');
    expect(refund('failed')).toBe('refund fail decline');
    expect(refund('pending')).toBe('refund waiting settled');
    expect(refund('unknown')).toBe('refund undefined prepare');
  });

  test('of a failed capture or void leave the order as it was', () => {
    expect(modificationWords({ name: 'capture', state: 'failed' }, { state: 'authorized', unknown: false })).toEqual({
      type: 'capture',
      status: 'fail',
      order_status: 'pending',
    });
    expect(modificationWords({ name: 'void', state: 'failed' }, settled).order_status).toBe('settled');
  });
});

test('a refund that succeeds under a second reference is two refunds, and set aside for a person', () => {
  const amount = money('4.00', 'EUR');
  const payment = { ...newPayment(money('10.00', 'EUR')), state: 'settled', refunded: amount } as const;
  const refund = { name: 'refund', state: 'succeeded', amount, providerReference: 'by-hand' } as const;
  const said = (reference: string) =>
    decideModification(payment, refund, { outcome: settled(reference, amount), via: 'flow' }).do;
  expect([said('by-hand'), said('ours')]).toEqual(['ignore', 'quarantine']);
});

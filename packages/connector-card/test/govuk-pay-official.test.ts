import { readFileSync } from 'node:fs';
import { checkOfficial } from '@railyard/conformance';
import { checkAgainst, type Facts } from '@railyard/conformance/official';
import { eventKey } from '@railyard/core/driver';
import { createRegistry } from '@railyard/core/registry';
import type { FlowName } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { sending } from '../../conformance/test/support/common-faults.ts';
import { exchange, paymentsOf, type Script } from '../../runtime/test/support/exchange.ts';
import * as samples from '../src/govuk-pay.samples.ts';
import { govukPayConnector as connector } from '../src/index.ts';
import { cardHosted } from '../src/methods.ts';
import { govukPayOptions } from './support/govuk-pay-samples.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/govuk-pay.json', import.meta.url), 'utf8'));
const compared = (of = connector) => checkOfficial(of, { ...govukPayOptions, officials: [checkAgainst(facts)] });

describe('the official description', () => {
  it('has every request that the kit plays, and every golden and example', async () => {
    const { requests, replies, problems, notPlayed } = await compared();
    expect({ problems, notPlayed }).toEqual({ problems: [], notPlayed: [] });
    expect(requests).toBeGreaterThanOrEqual(9);
    expect(replies).toBeGreaterThan(30);
  });

  it('refuses an amount in pounds and a field of its own', async () => {
    const { problems } = await compared(sending(/^create-payment$/, { amount: '25.00', currency: 'GBP' })(connector));
    expect(problems.map(({ says }) => says)).toEqual(
      expect.arrayContaining([expect.stringContaining('amount'), expect.stringContaining('(currency)')]),
    );
  });

  it('is corrected in two places', () => {
    expect(facts.corrections).toHaveLength(2);
  });
});

const key = 'card-hosted';
const { lookedUp } = paymentsOf(createRegistry([cardHosted]), '2026-11-21');
const OURS = samples.paid.reference;
const PAYMENT = samples.paid.payment_id;
const session = {
  merchant_key: '11111111-2222-4333-8444-555555555555',
  operation: 'purchase',
  methods: [key],
  order: { number: 'order-1', amount: '25.00', currency: 'GBP', description: 'Two books' },
  success_url: 'https://shop.example/done',
  hash: 'f'.repeat(40),
};

async function asked(script: Script, known: object = {}, flow: FlowName = 'status') {
  const payment = { ...lookedUp(session, key, PAYMENT), merchantReference: OURS, ...known };
  const settings = { base_url: 'https://api.example', api_key: 'api_test_1', webhook_secret: 'secret' };
  const { drive, asked: sent } = exchange({ connector, key, flow, payment, settings, about: {} }, script);
  return { result: await drive(), paths: sent.map(({ url }) => new URL(url).pathname) };
}
const eventsOf = async (script: Script, known?: object) => {
  const { result } = await asked(script, known);
  return result.kind === 'reported' && 'events' in result.report ? result.report.events : [];
};

describe('a lookup tells', () => {
  it.each([
    ['needs_response', [undefined]],
    ['won', [undefined, 'won']],
    ['lost', [undefined, 'lost']],
  ])('a dispute that is %s from its beginning, and none of another payment', async (status, results) => {
    const disputes = samples.disputes(status);
    const another = { ...samples.dispute(status), payment_id: 'another', dispute_id: 'd-2' };
    const found = { ...disputes, results: [...disputes.results, another] };
    const events = await eventsOf([
      [200, samples.paid],
      [200, found],
    ]);
    const told = { kind: 'chargeback', id: 'geCju5lhLGr0B2jfiT3jo5wDek', amount: { text: '25.00' } };
    expect(events).toMatchObject([{ kind: 'payment' }, ...results.map(() => told)]);
    expect(events.slice(1).map((event) => (event.kind === 'chargeback' ? event.result : 'no dispute'))).toEqual(
      results,
    );
  });

  it('the disputes of a payment in the order in which they began, from every page', async () => {
    const begun = (id: string, status: string, day: number) => ({
      ...samples.dispute(status),
      dispute_id: id,
      created_date: `2022-07-${day}T16:43:00.000Z`,
    });
    const page = (...results: readonly object[]) => ({ ...samples.disputes(), total: 501, results });
    const { result, paths } = await asked([
      [200, samples.paid],
      [200, page(begun('d-3', 'needs_response', 28), begun('d-2', 'lost', 21))],
      [200, page(begun('d-1', 'won', 11))],
    ]);
    const events = result.kind === 'reported' && 'events' in result.report ? result.report.events : [];
    expect(events.slice(1).map(eventKey)).toEqual([
      'chargeback/d-1',
      'chargeback/d-1/won',
      'chargeback/d-2',
      'chargeback/d-2/lost',
      'chargeback/d-3',
    ]);
    expect(paths.filter((path) => path === '/v1/disputes')).toHaveLength(2);
  });

  it('the disputes of the first page where the second is refused', async () => {
    const events = await eventsOf([
      [200, samples.paid],
      [200, { ...samples.disputes('needs_response'), total: 501 }],
      [422, samples.problem('P0401', 'Invalid parameters: page.')],
    ]);
    expect(events).toMatchObject([{ kind: 'payment' }, { kind: 'chargeback', amount: { text: '25.00' } }]);
  });

  it.each([401, 403])(
    'no end where the list of disputes is closed to the key (%i): it is made again',
    async (status) => {
      const { result } = await asked([
        [200, samples.paid],
        [status, {}],
      ]);
      expect(result).toMatchObject({ kind: 'interrupted' });
    },
  );

  it.each([
    ['is refused', 422],
    ['has no such page', 404],
    ['fails', 500],
    ['is down', 503],
  ])('the money also where the search of disputes %s, and that it is to be looked up again', async (_how, status) => {
    const { result } = await asked([
      [200, samples.paid],
      [status, samples.problem('P0401', 'Invalid parameters: from_date.')],
    ]);
    expect(result).toMatchObject({
      kind: 'reported',
      report: {
        events: [{ kind: 'payment', outcome: { status: 'settled', amount: { text: '25.00' } } }],
        incomplete: 'GOV.UK Pay did not list all refunds and disputes.',
      },
    });
  });

  it('the amount of the order where a surcharge came on top, and no refund before there is one', async () => {
    const surcharged = { corporate_card_surcharge: 250, total_amount: 2750 };
    const { result, paths } = await asked([
      [200, { ...samples.payment('success', { available: 2750 }), ...surcharged }],
      [200, samples.disputes()],
    ]);
    expect(result).toMatchObject({ kind: 'done', outcome: { status: 'settled', amount: { text: '25.00' } } });
    expect(paths).toEqual([`/v1/payments/${PAYMENT}`, '/v1/disputes']);
  });

  it('refunds where the payment says that less of it is left', async () => {
    const events = await eventsOf([
      [200, samples.payment('success', { available: 1500 })],
      [200, samples.refunds],
      [200, samples.disputes()],
    ]);
    expect(events).toMatchObject([{ kind: 'payment' }, { kind: 'refund', outcome: { status: 'settled' } }]);
  });

  it('the end of a payment, which declines one that waited and lets go of a hold', async () => {
    expect(await eventsOf([[200, samples.failed]])).toMatchObject([
      { kind: 'ended', outcome: { status: 'declined', code: 'card_declined' } },
    ]);
  });

  it('the payment that was paid of several with our reference', async () => {
    const script: Script = [
      [200, samples.foundTwice],
      [200, samples.paid],
      [200, samples.disputes()],
    ];
    const { result, paths } = await asked(script, { providerReference: undefined });
    expect(result).toMatchObject({ kind: 'done', outcome: { status: 'settled', providerReference: PAYMENT } });
    expect(paths).toEqual(['/v1/payments', `/v1/payments/${PAYMENT}`, '/v1/disputes']);
  });
});

import { checkConformance, type ConformanceOptions } from '@railyard/conformance';
import {
  type Connector,
  JsonNumberLiteral,
  type Money,
  money,
  moneyOfMinor,
  type Outcome,
  type ProviderEvent,
} from '@railyard/core';
import type { Wire } from '@railyard/core/driver';
import { expect, test } from 'vitest';
import { events, outcomes, type Plant, requests, statusReports } from '../../conformance/test/support/planted.ts';
import { acquirerConnector } from '../src/index.ts';
import { acquirerSimulation } from '../src/simulation.ts';
import { oneMethod, oneMethodOptions } from './support/one-method.ts';

const adapter = oneMethod(acquirerConnector);

async function failedOf(connector: Connector, options: ConformanceOptions): Promise<readonly string[]> {
  const { results } = await checkConformance(connector, options);
  return results.filter(({ status, level }) => status === 'failed' && level === 'required').map(({ id }) => id);
}

const inHundredths = ({ minor, currency }: Money): Money => moneyOfMinor(minor * 100n, currency);
const { notification } = acquirerSimulation;

/** An acquirer that counts krónur in hundredths, as one that exists does, wherever it says an amount. */
const ofHundredths: ConformanceOptions = {
  ...oneMethodOptions,
  simulation: {
    ...acquirerSimulation,
    decimals: { ISK: 2 },
    ...(notification && {
      notification: {
        ...notification,
        body: ({ amount, currency, ...payment }, event) =>
          notification.body(
            { ...payment, currency, amount: currency === 'ISK' ? inHundredths(money(amount, currency)).text : amount },
            event,
          ),
      },
    }),
  },
};

/** The method with currencies of its own, those that the provider counts otherwise first. */
const inOrder = ({ serves, ...connector }: Connector): Connector => ({
  ...connector,
  serves: serves.map(({ method: { limits: _limits, ...method }, flows }) => ({
    flows,
    method: { ...method, currencies: ['ISK', 'JPY', 'USD'] },
  })),
});

const askedInHundredths = (json: Wire['json']): Wire['json'] =>
  typeof json === 'object' &&
  json !== null &&
  'amount' in json &&
  'currency' in json &&
  json.currency === 'ISK' &&
  JsonNumberLiteral.is(json.amount)
    ? { ...json, amount: new JsonNumberLiteral(`${json.amount.literal}00`) }
    : json;

/** Krónur that were read as the provider counts them. */
const inKronur = (outcome: Outcome): Outcome =>
  (outcome.status === 'settled' || outcome.status === 'authorized') && outcome.amount.currency === 'ISK'
    ? { ...outcome, amount: moneyOfMinor(outcome.amount.minor / 100n, 'ISK') }
    : outcome;

const asks = requests(/^create-/, ({ json, ...wire }) => ({ ...wire, json: askedInHundredths(json) }));
const reported = (event: ProviderEvent): ProviderEvent =>
  'outcome' in event ? { ...event, outcome: inKronur(event.outcome) } : event;
const reads: Plant = (connector) =>
  [
    outcomes(inKronur),
    statusReports((report) => ('events' in report ? { ...report, events: report.events.map(reported) } : report)),
    events(reported),
  ].reduce((changed, plant) => plant(changed), connector);

test('decimals by ISO, where the provider has its own, are caught by amounts-reach-the-provider', async () => {
  expect(await failedOf(adapter, ofHundredths)).toEqual(['amounts-reach-the-provider']);
  expect(await failedOf(inOrder(adapter), ofHundredths)).toEqual(['amounts-reach-the-provider']);
});

test('decimals as the provider counts them pass, in whatever order the currencies stand', async () => {
  // Captures and refunds still ask for krónur by ISO, which has a check of its own.
  const MODIFIED = 'modifications-reach-the-provider';
  for (const one of [adapter, inOrder(adapter)]) {
    expect(await failedOf(reads(asks(one)), ofHundredths)).toEqual([MODIFIED]);
    expect((await failedOf(asks(one), ofHundredths)).filter((id) => id !== MODIFIED)).toEqual([
      'amounts-are-read-back',
    ]);
  }
});

test('a sample without a card is what is wrong where the payer pays with one, and no flow is blamed for it', async () => {
  const { results } = await checkConformance(adapter, { ...oneMethodOptions, sessions: {} });
  const failed = results.filter(({ status, level }) => status === 'failed' && level === 'required');
  expect(failed.map(({ id, path }) => ({ id, path }))).toEqual([
    { id: 'samples-are-valid', path: 'sessions.card.purchase' },
  ]);
  expect(failed[0]?.why).toContain('The payer pays with a card, and the sample has none. Give a test card');
});

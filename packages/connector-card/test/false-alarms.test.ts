import { checkConformance, type ConformanceOptions } from '@railyard/conformance';
import { type Connector, JsonNumberLiteral } from '@railyard/core';
import type { Wire } from '@railyard/core/driver';
import { expect, test } from 'vitest';
import { requests } from '../../conformance/test/support/planted.ts';
import { acquirerConnector } from '../src/index.ts';
import { acquirerSimulation } from '../src/simulation.ts';
import { oneMethod, oneMethodOptions } from './support/one-method.ts';

const adapter = oneMethod(acquirerConnector);

async function failedOf(connector: Connector, options: ConformanceOptions): Promise<readonly string[]> {
  const { results } = await checkConformance(connector, options);
  return results.filter(({ status, level }) => status === 'failed' && level === 'required').map(({ id }) => id);
}

/** An acquirer that counts krónur in hundredths, as one that exists does. */
const ofHundredths: ConformanceOptions = {
  ...oneMethodOptions,
  simulation: { ...acquirerSimulation, decimals: { ISK: 2 } },
};

/** The method with currencies of its own, those that the provider counts otherwise first. */
const inOrder = ({ serves, ...connector }: Connector): Connector => ({
  ...connector,
  serves: serves.map(({ method: { limits: _limits, ...method }, flows }) => ({
    flows,
    method: { ...method, currencies: ['ISK', 'JPY', 'USD'] },
  })),
});

const inHundredths = (json: Wire['json']): Wire['json'] =>
  typeof json === 'object' &&
  json !== null &&
  'amount' in json &&
  'currency' in json &&
  json.currency === 'ISK' &&
  JsonNumberLiteral.is(json.amount)
    ? { ...json, amount: new JsonNumberLiteral(`${json.amount.literal}00`) }
    : json;

test('decimals by ISO, where the provider has its own, are caught by amounts-reach-the-provider', async () => {
  expect(await failedOf(adapter, ofHundredths)).toEqual(['amounts-reach-the-provider']);
  expect(await failedOf(inOrder(adapter), ofHundredths)).toEqual(['amounts-reach-the-provider']);
});

test('decimals as the provider counts them pass, in whatever order the currencies stand', async () => {
  const plant = requests(/^create-/, ({ json, ...wire }) => ({ ...wire, json: inHundredths(json) }));
  expect(await failedOf(plant(adapter), ofHundredths)).toEqual([]);
  expect(await failedOf(plant(inOrder(adapter)), ofHundredths)).toEqual([]);
});

test('a sample without a card is what is wrong where the payer pays with one, and no flow is blamed for it', async () => {
  const { results } = await checkConformance(adapter, { ...oneMethodOptions, sessions: {} });
  const failed = results.filter(({ status, level }) => status === 'failed' && level === 'required');
  expect(failed.map(({ id, path }) => ({ id, path }))).toEqual([
    { id: 'samples-are-valid', path: 'sessions.card.purchase' },
  ]);
  expect(failed[0]?.why).toContain('The payer pays with a card, and the sample has none. Give a test card');
});

import { checkConformance, type ConformanceOptions } from '@railyard/conformance';
import { type Connector, JsonNumberLiteral, readPath } from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Fault, servingOnly } from '../../conformance/test/support/common-faults.ts';
import { type Plant, requests } from '../../conformance/test/support/planted.ts';
import { adyenConnector } from '../src/index.ts';
import { adyenOptions } from './support/adyen-samples.ts';

// The goldens would catch some of the faults too; without them the checks of behaviour have to.
const { goldens: _goldens, sessions, ...given } = adyenOptions;
const samples = [sessions?.card?.purchase ?? []].flat().filter(({ name = '' }) => ['', 'hold'].includes(name));
const options: ConformanceOptions = { ...given, sessions: { card: { purchase: samples } } };
const adapter = servingOnly('card', adyenConnector);

const amount = z.object({ value: z.instanceof(JsonNumberLiteral), currency: z.string() });
type Amount = z.output<typeof amount>;

/** Other amounts in the requests to the endpoints of some names. */
const asking = (names: RegExp, change: (asked: Amount) => Amount): Plant =>
  requests(names, (wire) => {
    const asked = amount.safeParse(readPath(wire.json, 'amount'));
    return asked.success && typeof wire.json === 'object'
      ? { ...wire, json: { ...wire.json, amount: change(asked.data) } }
      : wire;
  });

/** Minor units by a float, cut off: 19.99 times a hundred is 1998.9999999999998. */
const byFloat = ({ value, currency }: Amount): Amount => {
  const float = (Number(value.literal) / 100) * 100;
  return { value: new JsonNumberLiteral(String(Math.trunc(float))), currency };
};

const FAULTS: readonly Fault[] = [
  ['minor units by a float', 'amounts-reach-the-provider', asking(/./, byFloat)],
  [
    'a refund that is always in euros',
    'requests-name-one-currency',
    asking(/^refund$/, ({ value }) => ({ value, currency: 'EUR' })),
  ],
  [
    'a refund of another amount',
    'modifications-reach-the-provider',
    asking(/^refund$/, ({ currency }) => ({ value: new JsonNumberLiteral('100'), currency })),
  ],
];

async function failed(connector: Connector): Promise<readonly string[]> {
  const { results } = await checkConformance(connector, options);
  return results.filter(({ status }) => status === 'failed').map(({ id }) => id);
}

test.each(FAULTS)('the adapter of Adyen with %s is caught by %s', async (_fault, check, plant) => {
  expect(await failed(plant(adapter))).toContain(check);
});

import { checkConformance } from '@railyard/conformance';
import type { Connector } from '@railyard/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { acquirerConnector } from '../src/index.ts';
import { oneMethod, oneMethodOptions } from './support/one-method.ts';

const paid = z.object({ payment: z.object({ card: z.object({ bin: z.string(), brand: z.string().optional() }) }) });

test('the kit gives flows the first digits of the card of a sample, and its network where the sample says it', async () => {
  const seen = new Set<string>();
  const reading = ({ serves, ...connector }: Connector): Connector => ({
    ...connector,
    serves: serves.map(({ method, flows: { purchase, ...flows } }) => ({
      method,
      flows: {
        ...flows,
        *purchase(context) {
          const { bin, brand } = paid.parse(context).payment.card;
          seen.add(`${bin} ${brand}`);
          if (purchase === undefined) throw new Error('The adapter sells nothing.');
          return yield* purchase(context);
        },
      },
    })),
  });
  const card = { expiryMonth: '01', expiryYear: '2038', holder: 'Ada Example', cvv: '737' };
  const purchase = [
    { card: { ...card, number: '4111111111111111', brand: 'visa' } },
    { name: 'other', card: { ...card, number: '378282246310005', cvv: '7373' } },
  ];
  await checkConformance(reading(oneMethod(acquirerConnector)), {
    ...oneMethodOptions,
    sessions: { card: { purchase } },
  });
  expect([...seen]).toEqual(expect.arrayContaining(['378282 undefined', '41111111 visa']));
});

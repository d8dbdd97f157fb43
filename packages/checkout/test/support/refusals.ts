import { readPath } from '@railyard/core';
import { expect } from 'vitest';
import { onlyIn, otherCurrencyOf, otherOperationsOf } from '../../../../test/support/elsewhere.ts';
import { post } from './service.ts';

/** A request of the method with nothing wrong but what is changed. */
type BodyOf = (
  change?: Readonly<Record<string, unknown>>,
  order?: Readonly<Record<string, string>>,
) => Readonly<Record<string, unknown>>;

/** A country that is none of any key. */
const ABROAD = 'FR';

/**
 * Asks for a session with nothing wrong, and with another country, currency and operation: each is refused at the field that is wrong, a
 * country at no other, or is taken where the key takes it.
 */
export async function expectRefusals(url: string, key: string, bodyOf: BodyOf): Promise<void> {
  const wrongIn = async (body: object) => {
    const { status, json } = await post(`${url}/api/v1/session`, body);
    if (status === 200) return [];
    const errors: unknown = readPath(json, 'errors');
    const said = (Array.isArray(errors) ? errors : []).map((each) => String(readPath(each, 'error_message')));
    return [...new Set(said.map((message) => message.split(': ')[0]))];
  };
  const good = bodyOf();
  expect(await wrongIn(good)).toEqual([]);

  const place = good['operation'] === 'credit' ? 'payee_billing_address' : 'billing_address';
  const abroad = bodyOf({ [place]: { ...Object(good[place]), country: ABROAD } });
  expect.soft(await wrongIn(abroad), `${key} and a country`).toEqual(key in onlyIn ? [`${place}.country`] : []);

  const { code, isRefused } = otherCurrencyOf(key);
  const inOther = await wrongIn(bodyOf({}, { currency: code }));
  // Parameters that belong to a currency are wrong in another one too.
  if (isRefused) expect.soft(inOther, `${key} and ${code}`).toContain('order.currency');
  else expect.soft(inOther, `${key} and ${code}`).toEqual([]);

  for (const operation of otherOperationsOf(key))
    expect.soft(await wrongIn(bodyOf({ operation, payee: { name: 'Ana Torres' } })), operation).toContain('methods');
  expect.soft(await wrongIn(bodyOf({ operation: 'recurring' })), 'no operation').toContain('operation');
}

import { describe, expect, it } from 'vitest';
import recorded from '../../core/test/fixtures/client-requests.json' with { type: 'json' };
import aliases from '../../../demo/aliases.json' with { type: 'json' };
import { answer } from './support/sessions.ts';

const requests = recorded.filter(({ body }) => /"methods":\["(awcc|coinspaid)"\]/.test(body));
/** What these keys stand for in the demo's configuration, and the method whose parameters they send. */
const profile = (method: string) => ({ methods: { awcc: { method }, coinspaid: { method } } });

describe('requests of recorded clients', () => {
  it('are here', () => {
    expect(requests.map(({ id }) => id)).toEqual([
      'hosted-checkout-crypto-awcc-usdt',
      'hosted-checkout-crypto-awcc-btc',
    ]);
  });

  for (const method of [aliases.aliases.awcc, 'crypto-wallet'])
    it.each(requests)(`$id is taken as ${method}, with its amount and without`, ({ body }) => {
      const sent = JSON.parse(body);
      const { amount: _amount, ...order } = sent.order;
      expect(answer(sent, profile(method))).toEqual([]);
      expect(answer({ ...sent, order }, profile(method))).toEqual([]);
    });
});

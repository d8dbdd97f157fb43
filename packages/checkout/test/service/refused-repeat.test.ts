import { randomUUID } from 'node:crypto';
import { acquirerConnector } from '@railyard/connector-card';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { account, acquirerService, type AcquirerService, payOrder, told } from '../support/acquirer-service.ts';
import { cardBody, payByCard } from '../support/card-service.ts';
import { lateProxy } from '../support/late-proxy.ts';
import { createPage } from '../support/service.ts';

/** More than all pauses between tries, and between lookups. */
const LATER = 2_000_000;

let at = Date.now();
let proxy: Awaited<ReturnType<typeof lateProxy>>;
let service: AcquirerService;
/** How many effects the provider had before. */
let before = 0;

beforeAll(async () => {
  proxy = await lateProxy();
  service = await acquirerService(
    {},
    (settings) => {
      proxy.state.target = String(settings['base_url']);
      return [account('cards', { ...settings, base_url: proxy.url })];
    },
    { clock: () => at },
  );
  // News of the provider would end the doubt.
  service.simulator.setRule({ connector: acquirerConnector.id, notifications: 'none' });
});

beforeEach(() => {
  proxy.show();
  Object.assign(proxy.state, { refused: 0, hid: 0, takesLate: () => false });
  before = service.simulator.ledger().length;
});

afterAll(async () => {
  await service.stop();
  await proxy.close();
});

/** The next request to a path is taken, and its reply lost; its repeats are refused. */
function takeLate(path: string, refusal: { readonly status: number; readonly body: object }) {
  proxy.state.refusal = refusal;
  proxy.state.takesLate = (asked) => {
    if (!asked.endsWith(path)) return false;
    proxy.state.takesLate = () => false;
    return true;
  };
}

const amounts = (effect: string) =>
  service.simulator
    .ledger()
    .slice(before)
    .filter((entry) => entry.effect === effect)
    .map(({ amount }) => amount);

const callbacksOf = (number: string) =>
  service.shop.received
    .filter(({ fields }) => fields.order_number === number)
    .map(({ fields }) => `${String(fields.type)} ${String(fields.status)}`);

/** Time goes on until something has happened: also what is scheduled while the test waits comes due. */
async function passes(step: number, hasHappened: () => boolean): Promise<void> {
  const look = () => {
    if (hasHappened()) return true;
    at += step;
    return false;
  };
  await expect.poll(look).toBe(true);
}

/** The request is sent again and refused, and what the service makes of that is there: a decline, another try, or a lookup. */
async function refused(number: string): Promise<void> {
  await passes(1_000, () => proxy.state.refused > 0);
  const { refused: times, hid } = proxy.state;
  const isOver = () => callbacksOf(number).some((each) => each.endsWith(' fail'));
  await passes(1_000, () => isOver() || proxy.state.refused > times || proxy.state.hid > hid);
}

/** The lookup shows what the provider took, and the merchant is called back. */
async function shown(number: string, fits: Readonly<Record<string, string>>): Promise<void> {
  proxy.show();
  at += LATER;
  let isTold = false;
  const telling = told(service, number, fits).then(() => (isTold = true));
  await passes(60_000, () => isTold);
  await telling;
}

/** What a provider says to a request that it has already. */
const REFUSALS = [
  ['422 "reference already used"', { status: 422, body: { code: 'reference_already_used' } }],
  ['409 "idempotency key in use"', { status: 409, body: { code: 'idempotency_key_in_use' } }],
  // Before anything is looked at, so it says nothing about the request that was sent first.
  ['401 "unauthorized"', { status: 401, body: { code: 'unauthorized' } }],
] as const;

describe.each(REFUSALS)(
  'of a provider slower than the time-out, whose lookup lags and which refuses the repeat with %s,',
  (_what, refusal) => {
    test('a payment stays open, cannot be paid again, and is settled once the lookup shows it', async () => {
      const body = cardBody();
      const { number } = body.order;
      const page = await createPage(service.url, body);
      takeLate('/v1/sales', refusal);
      await payByCard(page);
      await told(service, number, { status: 'undefined' });
      await refused(number);
      await payByCard(page);
      expect(amounts('charge')).toEqual(['10.00']);
      expect(await service.byOrder(number, '1')).toMatchObject([{ status: 'pending' }]);
      await shown(number, { order_status: 'settled' });
      expect(amounts('charge')).toEqual(['10.00']);
      expect(callbacksOf(number)).not.toContain('sale fail');
    });

    test('a refund stays open, keeps what it reserved, and takes place once', async () => {
      const number = await payOrder(service);
      const { id = '' } = await told(service, number, { order_status: 'settled' });
      takeLate('/refunds', refusal);
      await service.refund(id, '6.00');
      await told(service, number, { type: 'refund', status: 'undefined' });
      await refused(number);
      await service.refund(id, '6.00');
      expect(amounts('refund')).toEqual(['6.00']);
      await shown(number, { type: 'refund', status: 'success' });
      expect(amounts('refund')).toEqual(['6.00']);
      expect(callbacksOf(number)).not.toContain('refund fail');
    });

    test('a payout stays open, so that the merchant does not pay it out again', async () => {
      const order = { order_amount: '25.00', order_currency: 'USD', order_description: 'Affiliate payout' };
      const payee = { card_number: '4601541833776519', payee_first_name: 'Jane', payee_last_name: 'Roe' };
      const number = `payout-${randomUUID()}`;
      takeLate('/v1/payouts', refusal);
      await service.credit({ ...order, order_id: number }, payee);
      await told(service, number, { status: 'undefined' });
      await refused(number);
      expect(await service.byOrder(number, '1')).toMatchObject([{ status: 'pending' }]);
      await shown(number, { order_status: 'settled' });
      expect(amounts('payout')).toEqual(['25.00']);
      expect(callbacksOf(number)).not.toContain('credit fail');
    });

    test('a capture stays under way, and is known once the lookup shows it', async () => {
      const number = await payOrder(service, { auth: true });
      const { id = '' } = await told(service, number, { order_status: 'pending' });
      takeLate('/captures', refusal);
      await service.capture(id, '10.00');
      await told(service, number, { type: 'capture', status: 'undefined' });
      await refused(number);
      await shown(number, { type: 'capture', status: 'success' });
      expect(amounts('capture')).toEqual(['10.00']);
      expect(callbacksOf(number)).not.toContain('capture fail');
    });
  },
);

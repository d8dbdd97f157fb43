import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { payoutCallbackHashOf } from '../support/callback-hash.ts';
import { type Fields, payoutFields, sendCommand, statusFields } from '../support/commands.ts';
import { CLEAN, historyOf, timesTold } from '../support/killed-payment.ts';
import { KILL_POINTS, killedMobileService, killedService, type KillPoint } from '../support/killed-service.ts';
import { mobileFields } from '../support/mobile-money-payout.ts';

/** A payout by Pix, and the words of its provider. */
async function byPix() {
  const service = await killedService();
  const { provider } = service;
  return {
    service,
    fields: payoutFields(),
    paidOut: () => provider.ledger.map(({ external_id, ...entry }) => ({ ...entry, reference: external_id })),
    amount: '10.00',
    paid: 'PAID',
    waits: () => (provider.payoutStatus = 'PROCESSING'),
    async pays() {
      for (const entry of provider.ledger) {
        entry.status = 'PAID';
        expect(await provider.notify(service.running.notifyUrl, entry)).toBe(204);
      }
    },
  };
}

/** A payout by mobile money, and the words of its provider, which takes a reference once. */
async function byMobileMoney() {
  const service = await killedMobileService();
  const { ledger, state, tell } = service.provider;
  return {
    service,
    fields: mobileFields(),
    paidOut: () => ledger.map(({ sent, ...entry }) => ({ ...entry, reference: sent['reference'] })),
    amount: '100.00',
    paid: 'success',
    waits: () => (state.payoutStatus = 'processing'),
    async pays() {
      for (const entry of ledger) {
        entry.status = 'success';
        expect(await tell(entry)).toEqual([200]);
      }
    },
  };
}

const plans: readonly (readonly KillPoint[])[] = [
  ...KILL_POINTS.map((point) => [point]),
  ['before-call', 'before-reply'],
  ['after-reply', 'after-commit'],
];

describe.each([
  { method: 'Pix', by: byPix },
  { method: 'mobile money', by: byMobileMoney },
])('a payout by command and $method of a service that is killed', ({ by }) => {
  let payout: Awaited<ReturnType<typeof by>>;

  beforeEach(async () => {
    payout = await by();
  });

  afterEach(() => payout.service.end());

  /** Waits until the merchant was told this status so often: the same each time, with both signatures. @returns the transaction */
  async function told(status: string, times: number): Promise<string> {
    const { shop } = payout.service;
    const fitting = () => shop.received.filter(({ fields }) => isOf(fields) && fields['status'] === status);
    await shop.until(() => fitting().length >= times);
    expect(new Set(fitting().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { fields, signed } of fitting()) {
      expect(signed).toBe(true);
      expect(fields['hash']).toBe(payoutCallbackHashOf(fields));
    }
    return fitting()[0]?.fields['trans_id'] ?? '';
  }

  const isOf = ({ order_id }: Fields) => order_id === payout.fields['order_id'];
  const key = () => ({ 'idempotency-key': String(payout.fields['order_id']) });
  const ask = () => sendCommand(payout.service.running.url, payout.fields, key());

  /** The provider paid it once, under the transaction that the merchant hears of, and nothing is left to do. */
  async function expectPaidOnce(trans_id: string): Promise<void> {
    const { service, fields, paidOut, amount, paid } = payout;
    const { json } = await sendCommand(service.running.url, statusFields(trans_id));
    expect(json).toMatchObject({ status: 'SETTLED', order_id: fields['order_id'] });
    expect(paidOut()).toMatchObject([{ kind: 'payout', amount, reference: trans_id, status: paid }]);
    expect(await service.stopAndRead(historyOf)).toEqual(CLEAN);
  }

  test.each(plans.map((points) => ({ points })))('$points is paid once and reported', async ({ points }) => {
    expect(await payout.service.doAndKill(points, ask)).toEqual(points.map(() => 'SIGKILL'));
    const trans_id = await told('SETTLED', timesTold(points));
    // A merchant who heard nothing asks again, and hears of the same payout.
    expect((await ask()).json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', trans_id });
    await expectPaidOnce(trans_id);
  });

  test('while the provider has not decided is undefined, and settled by a notification', async () => {
    payout.waits();
    expect(await payout.service.doAndKill(['before-reply'], ask)).toEqual(['SIGKILL']);
    const trans_id = await told('PREPARE', 1);
    expect((await ask()).json).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE', trans_id });
    await payout.pays();
    expect(await told('SETTLED', 1)).toBe(trans_id);
    await expectPaidOnce(trans_id);
  });
});

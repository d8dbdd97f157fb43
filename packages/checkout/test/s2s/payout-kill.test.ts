import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fields, payoutFields, sendCommand, statusFields } from '../support/commands.ts';
import { CLEAN, historyOf, timesTold } from '../support/killed-payment.ts';
import { KILL_POINTS, killedService, type KillPoint } from '../support/killed-service.ts';

let service: Awaited<ReturnType<typeof killedService>>;

beforeEach(async () => {
  service = await killedService();
}, 60_000);

afterEach(() => service.end());

const plans: readonly (readonly KillPoint[])[] = [
  ...KILL_POINTS.map((point) => [point]),
  ['before-call', 'before-reply'],
  ['after-reply', 'after-commit'],
];

/** Waits until the merchant was told so often that it is paid: the same each time. @returns the transaction */
async function told({ order_id }: Fields, times: number): Promise<string> {
  const fitting = () =>
    service.shop.received.filter(({ fields }) => fields['order_id'] === order_id && fields['status'] === 'SETTLED');
  await service.shop.until(() => fitting().length >= times);
  expect(new Set(fitting().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(fitting().every(({ signed }) => signed)).toBe(true);
  return fitting()[0]?.fields['trans_id'] ?? '';
}

describe('a payout by command of a service that is killed', { timeout: 60_000 }, () => {
  test.each(plans.map((points) => ({ points })))('$points is paid once and told', async ({ points }) => {
    const fields = payoutFields();
    const ask = () => sendCommand(service.running.url, fields, { 'idempotency-key': String(fields['order_id']) });
    expect(await service.doAndKill(points, ask)).toEqual(points.map(() => 'SIGKILL'));
    const trans_id = await told(fields, timesTold(points));
    // A merchant who heard nothing asks again, and hears of the same payout.
    expect((await ask()).json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', trans_id });
    const { json } = await sendCommand(service.running.url, statusFields(trans_id));
    expect(json).toMatchObject({ status: 'SETTLED', order_id: fields['order_id'] });
    expect(service.provider.ledger).toMatchObject([{ kind: 'payout', amount: '10.00', status: 'PAID' }]);
    expect(await service.stopAndRead(historyOf)).toEqual(CLEAN);
  });
});

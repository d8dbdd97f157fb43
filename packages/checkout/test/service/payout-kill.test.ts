import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chosen } from '../crash/sample.ts';
import { CLEAN, historyOf, statusOf, timesTold, told } from '../support/killed-payment.ts';
import { KILL_POINTS, killedService, type KillPoint } from '../support/killed-service.ts';
import { createPage, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof killedService>>;

beforeEach(async () => {
  service = await killedService();
});

afterEach(() => service.end());

const payoutBody = () =>
  sessionBody({
    operation: 'credit',
    payee: { name: 'Maria Silva' },
    parameters: { pix: { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' } },
  });

const allPlans: readonly (readonly KillPoint[])[] = [
  ...KILL_POINTS.map((point) => [point]),
  ['before-call', 'before-reply'],
  ['after-reply', 'after-commit'],
];
/** A few in the ordinary run, other ones each time; `npm run test:crash` takes all. */
const plans = chosen(allPlans, 2, (points) => points.join());

describe('a payout of a service that is killed', () => {
  test.each(plans.map((points) => ({ points })))('$points is paid once and reported', async ({ points }) => {
    const body = payoutBody();
    const page = await createPage(service.running.url, body);
    expect(await service.payAndKill(page, points)).toEqual(points.map(() => 'SIGKILL'));
    const id = await told(service, body.order.number, 'success', timesTold(points));
    expect(service.provider.ledger).toMatchObject([{ kind: 'payout', amount: '10.00', status: 'PAID' }]);
    expect(await statusOf(service.running.url, id)).toMatchObject({ status: 'settled' });
    expect(await service.stopAndRead(historyOf)).toEqual(CLEAN);
  });
});

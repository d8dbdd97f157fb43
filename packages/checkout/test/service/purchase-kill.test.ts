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

const allPlans: readonly (readonly KillPoint[])[] = [
  ...KILL_POINTS.map((point) => [point]),
  ['before-reply', 'after-reply'],
];
/** A few in the ordinary run, other ones each time; `npm run test:crash` takes all. */
const plans = chosen(allPlans, 2, (points) => points.join());

describe('a purchase of a service that is killed', () => {
  test.each(plans.map((points) => ({ points })))('$points shows the one code there is', async ({ points }) => {
    const body = sessionBody();
    const page = await createPage(service.running.url, body);
    expect(await service.payAndKill(page, points)).toEqual(points.map(() => 'SIGKILL'));
    await told(service, body.order.number, 'waiting', timesTold(points));
    const [charge, ...others] = service.provider.ledger;
    if (charge === undefined) throw new Error('The provider was not called.');
    expect(others).toEqual([]);
    expect(await (await fetch(page)).text()).toContain(charge.code);

    charge.status = 'PAID';
    expect(await service.provider.notify(service.running.notifyUrl, charge)).toBe(204);
    const id = await told(service, body.order.number, 'success', 1);
    expect(await statusOf(service.running.url, id)).toMatchObject({ status: 'settled' });
    expect(await service.stopAndRead(historyOf)).toEqual(CLEAN);
  });
});

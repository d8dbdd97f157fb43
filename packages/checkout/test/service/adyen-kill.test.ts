import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmedAt, REDIRECTED, simulatedAdyen } from '../support/adyen-service.ts';
import { cardBody, payByCard } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort, listen, type Listening } from '../support/listen.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { receiver } from '../support/receiver.ts';
import { createPage } from '../support/service.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

/** At which request of Adyen the service dies: when it arrives, or when Adyen has acted and before it answers. */
type Point = readonly [at: RegExp, when: 'arrives' | 'has-acted'];

const PAYMENT = /\/payments$/;
const DETAILS = /\/payments\/details$/;
const CAPTURE = /\/captures$/;
const REFUND = /\/refunds$/;

let adyen: Awaited<ReturnType<typeof simulatedAdyen>>;
let door: Listening;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let port: number;
let running: ServiceProcess;
let dies: Point | undefined;

async function start(): Promise<void> {
  const provider = { url: door.url, apiKey: '', webhookSecret: '' };
  const { place } = directory;
  running = spawnService({ provider, deployment: 'adyen', callbackUrl: shop.url, port, place, kill: 'never' });
  await running.ready;
}

/** The next such request ends the service. */
function kills(asked: string, when: Point[1]): boolean {
  if (dies === undefined || dies[1] !== when || !dies[0].test(asked)) return false;
  dies = undefined;
  return running.kill('SIGKILL');
}

beforeEach(async () => {
  shop = await receiver();
  directory = await newDataDir();
  port = await freePort();
  adyen = await simulatedAdyen(`http://127.0.0.1:${port}`);
  const base = adyen.baseUrl('card-adyen');
  door = await listen(async ({ method = '', url = '', headers: given }, body, response) => {
    if (kills(url, 'arrives')) return;
    const names = ['content-type', 'x-api-key', 'idempotency-key'];
    const headers = Object.fromEntries(names.map((name) => [name, String(given[name] ?? '')]));
    const answer = await fetch(base + url, { method, headers, body });
    const text = await answer.text();
    if (kills(url, 'has-acted')) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await start();
});

afterEach(async () => {
  dies = undefined;
  running.kill('SIGKILL');
  await running.ended;
  await door.close();
  await adyen.close();
  await shop.close();
  await directory.remove();
});

/** Does something during which the service dies, and starts it again. */
async function dyingAt(point: Point, act: () => Promise<unknown>): Promise<void> {
  dies = point;
  const acted = act().catch(() => undefined);
  expect((await running.ended).signal).toBe('SIGKILL');
  await acted;
  await start();
}

const until = async (number: string, words: string) =>
  (
    await shop.until(
      ({ fields }) =>
        fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
    )
  ).fields;

async function session(change: Readonly<Record<string, unknown>> = {}) {
  const body = cardBody(change);
  return { number: body.order.number, page: await createPage(running.url, body) };
}

const effects = () => adyen.ledger().map(({ effect }) => effect);

describe('a service that is killed', () => {
  test('when Adyen has a payment and has not answered, settles it by the webhook, and charges once', async () => {
    const { number, page } = await session();
    await dyingAt([PAYMENT, 'has-acted'], () => payByCard(page));
    adyen.notify(await vi.waitUntil(() => adyen.payments()[0]?.id));
    await until(number, 'sale success settled');
    expect(effects()).toEqual(['charge', 'settled']);
  });

  test.each<Point>([
    [DETAILS, 'arrives'],
    [DETAILS, 'has-acted'],
  ])('after the visit, when %s %s, sends it again with the same key, and charges once', async (...point) => {
    const { number, page } = await session();
    const { location } = await payByCard(page, REDIRECTED);
    const back = await confirmedAt(new URL(location ?? '', page).href);
    await dyingAt(point, () => fetch(back));
    await until(number, 'sale success settled');
    expect(effects()).toEqual(['charge', 'settled']);
  });

  test.each<Point>([
    [CAPTURE, 'arrives'],
    [CAPTURE, 'has-acted'],
  ])('in a capture, when %s %s, captures once', async (...point) => {
    const { number, page } = await session({ auth: true });
    await payByCard(page);
    const { id = '' } = await until(number, 'sale success pending');
    await dyingAt(point, () => merchantActs(running.url).capture(id, '10.00'));
    await until(number, 'capture success settled');
    expect(effects().filter((effect) => effect === 'capture')).toHaveLength(1);
  });

  test.each<Point>([
    [REFUND, 'arrives'],
    [REFUND, 'has-acted'],
  ])('in a refund, when %s %s, gives the money back once', async (...point) => {
    const { number, page } = await session();
    await payByCard(page);
    const { id = '' } = await until(number, 'sale success settled');
    await dyingAt(point, () => merchantActs(running.url).refund(id, '10.00'));
    await until(number, 'refund success refund');
    expect(adyen.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort, listen, type Listening } from '../support/listen.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { pixBank } from '../support/pix-bcb-service.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

/** At which request of the bank the service dies: when it arrives, or when the bank has acted and before it answers. */
type Point = readonly [at: RegExp, when: 'arrives' | 'has-acted'];

const TOKEN = /^POST \/token$/;
const CHARGE = /^PUT \/cob\//;
const RETURN = /^PUT \/pix\/.*\/devolucao\//;

let bank: Awaited<ReturnType<typeof pixBank>>;
let door: Listening;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let port: number;
let running: ServiceProcess;
let dies: Point | undefined;

async function start(): Promise<void> {
  const provider = { url: door.url, apiKey: '', webhookSecret: '' };
  const { place } = directory;
  running = spawnService({ provider, deployment: 'pix-bcb', callbackUrl: shop.url, port, place, kill: 'never' });
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
  bank = await pixBank(`http://127.0.0.1:${port}`, { scenario: 'manual' });
  const base = bank.baseUrl('pix-bcb');
  door = await listen(async ({ method = '', url = '', headers }, body, response) => {
    if (kills(`${method} ${url}`, 'arrives')) return;
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const sent = { method, headers: { authorization, 'content-type': type }, ...(body !== '' && { body }) };
    const answer = await fetch(base + url, sent);
    const text = await answer.text();
    if (kills(`${method} ${url}`, 'has-acted')) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await start();
}, 60_000);

afterEach(async () => {
  dies = undefined;
  running.kill('SIGKILL');
  await running.ended;
  await door.close();
  await bank.close();
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

const until = (number: string, words: string) =>
  shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );

async function session() {
  const body = sessionBody({ methods: ['pix-charge'] });
  return { number: body.order.number, page: await createPage(running.url, body) };
}

const pay = (page: string) => pressPay(page, { method: 'pix-charge' });

/** The payer pays the one charge that the bank has, as soon as it has it. */
async function settleTheOne(): Promise<void> {
  const held = await vi.waitUntil(() => bank.payments()[0], { timeout: 40_000 });
  bank.settle(held.id);
}

describe('a service that is killed', { timeout: 120_000 }, () => {
  test.each<Point>([
    [TOKEN, 'arrives'],
    [TOKEN, 'has-acted'],
    [CHARGE, 'arrives'],
    [CHARGE, 'has-acted'],
  ])('in a payment, when %s %s, has one charge at the bank and settles it', async (...point) => {
    const { number, page } = await session();
    await dyingAt(point, () => pay(page));
    await settleTheOne();
    await until(number, 'sale success settled');
    expect(bank.payments()).toHaveLength(1);
  });

  test.each<Point>([
    [RETURN, 'arrives'],
    [RETURN, 'has-acted'],
  ])('in a return, when %s %s, gives the money back once', async (...point) => {
    const { number, page } = await session();
    await pay(page);
    await settleTheOne();
    const { fields } = await until(number, 'sale success settled');
    await dyingAt(point, () => merchantActs(running.url).refund(fields.id ?? '', '10.00'));
    await until(number, 'refund success refund');
    expect(bank.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });
});

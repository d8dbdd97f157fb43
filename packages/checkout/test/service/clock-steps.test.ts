import { type HttpRequest, kyTransport, type Transport } from '@railyard/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startService } from '../support/service.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let http: ReturnType<typeof kyTransport>;
let service: Awaited<ReturnType<typeof startService>>;
/** The clock on the wall, which steps, and the one that only goes on. */
let wall: number;
let passed: number;
/** The requests that begin a charge, and what holds their answers back. */
let sent: HttpRequest[];
let gate: Promise<void>;
/** So many requests find no process that listens. */
let unreachable: number;

beforeEach(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  http = kyTransport();
  wall = Date.parse('2026-11-21T12:00:00Z');
  passed = 0;
  sent = [];
  gate = Promise.resolve();
  unreachable = 0;
  const transport: Transport = {
    async send(request) {
      if (request.method === 'POST' && unreachable > 0) {
        unreachable -= 1;
        return { kind: 'not-sent', why: 'The provider could not be reached.' };
      }
      if (request.method === 'POST') {
        sent.push(request);
        await gate;
      }
      return http.send(request);
    },
  };
  service = await startService(provider, shop.url, { clock: () => wall, monotonic: () => passed, transport });
});

afterEach(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close(), http.close()]);
});

const told = (number: string, status: string) =>
  shop.until(({ fields }) => fields.order_number === number && fields.status === status);

/** A payment whose provider cannot be reached at first is sent again: whatever else could be executed is by then. */
async function runsAreLookedAt(): Promise<void> {
  const body = sessionBody();
  unreachable = 1;
  await pressPay(await createPage(service.url, body));
  wall += 2 * SECOND;
  passed += 2 * SECOND;
  await told(body.order.number, 'waiting');
}

describe('a step of the clock during a call of a provider', () => {
  test.for([
    ['of two minutes ahead', 2 * MINUTE],
    ['of an hour ahead', HOUR],
    ['of an hour back', -HOUR],
    ['of a leap second', -SECOND],
  ] as const)('%s sends nothing again', async ([, step]) => {
    let open = () => {};
    gate = new Promise<void>((resolve) => (open = resolve));
    const body = sessionBody();
    const pressed = createPage(service.url, body).then((page) => pressPay(page));
    await expect.poll(() => sent.length, { timeout: 40_000 }).toBe(1);
    wall += step;
    const [first] = sent;
    gate = Promise.resolve();
    await runsAreLookedAt();
    await runsAreLookedAt();
    open();
    await pressed;
    await told(body.order.number, 'waiting');
    expect(sent.filter((each) => each.body === first?.body)).toHaveLength(1);
    expect(provider.ledger.filter(({ external_id }) => first?.body?.includes(external_id))).toHaveLength(1);
  });
});

test('a step of the clock while a callback waits for its answer sends that callback once', async () => {
  const [slow, next] = [sessionBody(), sessionBody()];
  let answer = () => {};
  const answered = new Promise<boolean>((resolve) => (answer = () => resolve(true)));
  shop.state.beforeAnswer = ({ fields }) => fields.order_number !== slow.order.number || answered;
  await pressPay(await createPage(service.url, slow));
  await told(slow.order.number, 'waiting');
  wall += HOUR;
  await pressPay(await createPage(service.url, next));
  await told(next.order.number, 'waiting');
  expect(shop.received.filter(({ fields }) => fields.order_number === slow.order.number)).toHaveLength(1);
  answer();
});

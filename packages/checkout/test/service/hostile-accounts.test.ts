import { type HttpRequest, kyTransport, type Transport } from '@railyard/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANSWERING, HOSTILE, type HostileBehaviour, hostileProvider } from '../support/hostile-provider.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

let provider: PixProvider;
let hostile: Awaited<ReturnType<typeof hostileProvider>>;
let shop: Awaited<ReturnType<typeof receiver>>;
let http: ReturnType<typeof kyTransport>;
let passed: number;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  [provider, hostile, shop] = await Promise.all([pixProvider(), hostileProvider(), receiver()]);
  http = kyTransport();
  passed = 0;
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await Promise.all([provider.close(), hostile.close(), shop.close(), http.close()]);
});

/** An account named `well`, and others by what their provider does; one connector has all of them. */
async function start(others: Readonly<Record<string, string>>, transport: Transport) {
  const service = await startOn(
    (port) => {
      const config = pixConfig(provider, shop.url, port);
      const [mid] = config.mids;
      const [merchant] = config.merchants;
      if (mid === undefined || merchant === undefined) throw new Error('The deployment is empty.');
      const mids = Object.entries({ well: provider.url, ...others });
      return {
        ...config,
        mids: mids.map(([id, base_url]) => ({ ...mid, id, settings: { ...mid.settings, base_url } })),
        merchants: [
          {
            ...merchant,
            methods: mids.map(([id]) => ({ key: `pix-${id}`, method: 'pix', title: `Pix ${id}`, mid: id })),
          },
        ],
      };
    },
    { clock: () => Date.now() + passed, monotonic: () => performance.now() + passed, transport },
  );
  ends.push(service.stop);
  const health = async () => (await fetch(`${service.url}/health`)).json();
  /** Begins a payment at an account. @returns the number of its order */
  const pay = async (mid: string) => {
    const body = sessionBody({ methods: [`pix-${mid}`] });
    const page = await createPage(service.url, body);
    expect((await pressPay(page, { method: `pix-${mid}` })).status).toBe(303);
    return body.order.number;
  };
  const told = (number: string, status: string) =>
    shop.until(({ fields }) => fields.order_number === number && fields.status === status);
  return { ...service, health, pay, told };
}

const idOf = (name: HostileBehaviour) => `h${HOSTILE.indexOf(name)}`;

describe('an account whose provider hangs', () => {
  test('does not keep a payment at another account of the same connector from being sent again', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const calls = new Map<string, number>();
    const transport: Transport = {
      async send(request) {
        if (request.method !== 'POST') return http.send(request);
        const where = new URL(request.url).origin;
        const key = `${where} ${request.body}`;
        calls.set(key, (calls.get(key) ?? 0) + 1);
        if (calls.get(key) === 1) return { kind: 'not-sent', why: 'The provider could not be reached.' };
        if (where !== provider.url) await gate;
        return http.send(request);
      },
    };
    const service = await start({ hanging: 'http://127.0.0.1:1' }, transport);
    for (let each = 0; each < 4; each += 1) await service.pay('hanging');
    passed += 60_000;
    await expect.poll(() => [...calls.values()].filter((times) => times === 2), { timeout: 40_000 }).toHaveLength(4);
    const number = await service.pay('well');
    passed += 60_000;
    await expect
      .poll(() => [...calls].filter(([key]) => key.startsWith(provider.url)).map(([, times]) => times), {
        timeout: 40_000,
      })
      .toEqual([2]);
    await service.told(number, 'waiting');
    open();
  });
});

describe('twelve hostile accounts beside a healthy one', () => {
  test('hurt their own payments alone, and those that do not answer are called no more after five failures', async () => {
    // Only what hangs or drips: a busy machine must not take for silent what answers.
    const answering = [provider.url, ...ANSWERING.map((name) => hostile.urlOf(name))];
    const hurried = (request: HttpRequest) =>
      answering.some((url) => request.url.startsWith(url)) ? request : { ...request, timeoutMs: 1500 };
    const names = Object.fromEntries(HOSTILE.map((name) => [idOf(name), hostile.urlOf(name)]));
    const service = await start(names, { send: (request) => http.send(hurried(request)) });
    const attacks = HOSTILE.flatMap((name) => Array.from({ length: 6 }, () => service.pay(idOf(name))));
    const healthy = await Promise.all(Array.from({ length: 12 }, () => service.pay('well')));
    expect(provider.ledger).toHaveLength(12);
    for (const entry of provider.ledger) {
      entry.status = 'PAID';
      expect(await provider.notify(`${service.url}/notify/well`, entry)).toBe(204);
    }
    await Promise.all(healthy.map((number) => service.told(number, 'success')));
    await Promise.all(attacks);

    const silent = HOSTILE.filter((name) => !ANSWERING.includes(name));
    const open = () => service.lines.filter((line) => line.includes('"breaker-opened"')).length;
    await expect.poll(open).toBeGreaterThanOrEqual(silent.length);
    // Strangers read that a part does not work; which, stands in the log.
    expect(await service.health()).toEqual({ status: 'degraded' });
    const told = service.lines.map((line) => JSON.parse(line)).filter(({ finding }) => finding === 'breaker-open');
    expect(told.map(({ mid }) => mid).toSorted()).toEqual(silent.map(idOf).toSorted());
    expect(JSON.stringify(told)).not.toContain(provider.apiKey);
    // None of them is taken for declined but those that were never sent.
    const declined = shop.received.filter(({ fields }) => fields.status === 'fail').map(({ fields }) => fields.reason);
    expect(declined.filter((reason) => reason !== 'The provider cannot be reached.')).toEqual([]);
    expect(declined.length).toBeLessThanOrEqual(silent.length);
  });

  test('whose breaker is open declines softly what was not sent, and takes payments again once a lookup is answered', async () => {
    let well = false;
    const sent: string[] = [];
    const transport: Transport = {
      send(request) {
        if (request.url.startsWith('http://127.0.0.1:1/')) {
          if (!well) return Promise.resolve({ kind: 'lost', why: 'The connection broke.' });
          sent.push(request.method);
          return http.send({ ...request, url: request.url.replace('http://127.0.0.1:1', provider.url) });
        }
        return http.send(request);
      },
    };
    const service = await start({ broken: 'http://127.0.0.1:1' }, transport);
    for (let each = 0; each < 5; each += 1) await service.pay('broken');
    await expect.poll(service.health, { timeout: 40_000 }).toMatchObject({ status: 'degraded' });
    well = true;
    const declined = await service.pay('broken');
    const { fields } = await service.told(declined, 'fail');
    expect(fields).toMatchObject({ reason: 'The provider cannot be reached.' });
    expect(sent).toEqual([]);
    passed += 60_000;
    await expect.poll(service.health, { timeout: 40_000 }).toEqual({ status: 'ok' });
    await service.told(await service.pay('broken'), 'waiting');
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeTime, requireTool } from '../../../../test/support/tool.ts';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { freePort, listen, type Listening } from '../support/listen.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { type Received, receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { spawnService } from '../support/spawn-service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let folder: string;
/** Between the service and the provider. */
let way: Listening;
/** Breaks the connection of so many requests that begin a charge, before the provider has them. */
let broken: number;
/** References of charges that were asked for, one for each request. */
let posted: string[];

/** Hands a request on, and its answer back. */
async function pass(method: string, url: string, body: string, response: ServerResponse): Promise<void> {
  const headers = { 'x-api-key': provider.apiKey, 'content-type': 'application/json' };
  const reply = await fetch(`${provider.url}${url}`, { method, headers, ...(method === 'POST' && { body }) });
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(await reply.text());
}

beforeEach(async () => {
  [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  folder = await mkdtemp(join(tmpdir(), 'checkout-clock-'));
  [broken, posted] = [0, []];
  way = await listen((request, body, response) => {
    const { method = 'GET', url = '/' } = request;
    if (method === 'POST' && broken > 0) {
      broken -= 1;
      return request.socket.destroy();
    }
    if (method === 'POST') posted.push(String(Reflect.get(Object(JSON.parse(body)), 'external_id')));
    void pass(method, url, body, response).catch(() => response.destroy());
  });
});

afterEach(async () => {
  await Promise.all([provider.close(), shop.close(), way.close()]);
  await directory.remove();
  await rm(folder, { recursive: true });
});

describe('a process whose clock is set while a provider takes its time', () => {
  test.for([
    ['two minutes ahead', '+120'],
    ['an hour ahead', '+3600'],
    ['an hour back', '-3600'],
  ])('%s asks the provider once', async ([, step], ctx) => {
    const library = requireTool(ctx, fakeTime);
    const clock = join(folder, 'clock');
    await writeFile(clock, '+0');
    const service = spawnService({
      provider: { ...provider, url: way.url },
      callbackUrl: shop.url,
      port: await freePort(),
      place: directory.place,
      kill: 'never',
      env: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    });
    try {
      await service.ready;
      let asked: () => void = () => {};
      const wasAsked = new Promise<void>((resolve) => (asked = resolve));
      provider.beforeReply = () => (asked(), false);
      const body = sessionBody();
      const pressed = createPage(service.url, body)
        .then((page) => pressPay(page))
        .catch(() => undefined);
      await wasAsked;
      await writeFile(clock, step ?? '');
      provider.beforeReply = () => true;
      // A payment whose request is lost is executed again: whatever else could be taken over is by then.
      for (let other = 0; other < 2; other += 1) {
        broken = 1;
        const later = sessionBody();
        await pressPay(await createPage(service.url, later));
        const isWaiting = ({ fields }: Received) =>
          fields.order_number === later.order.number && fields.status === 'waiting';
        await shop.until(isWaiting);
      }
      expect([posted.length, new Set(posted).size]).toEqual([3, 3]);
      expect(shop.received.filter(({ fields }) => fields.order_number === body.order.number)).toEqual([]);
      service.kill('SIGKILL');
      await pressed;
    } finally {
      service.kill('SIGKILL');
      await service.ended;
    }
  });
});

import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { Simulator } from '@railyard/simulator';
import { newDataDir } from './data-dir.ts';
import { freePort, listen } from './listen.ts';
import { receiver } from './receiver.ts';
import { type GivenProvider, type ServiceProcess, spawnService } from './spawn-service.ts';

/** At which request of the provider the service dies: when it arrives, or when the provider has acted and before it answers. */
export type Point = readonly [at: RegExp, when: 'arrives' | 'has-acted'];

/** The headers that say something to a provider. */
const passedOn = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' &&
    /^(?:authorization|content-type|idempotency-key|paypal-request-id|stripe-version|x-.*)$/.test(name)
      ? [[name, value]]
      : [],
  );

/**
 * A service in a process of its own, whose provider is reached through a door where the service can be killed.
 *
 * @param play the simulated provider of a service at this address
 * @param keys of the account there, where a test has to know them
 */
export async function dyingService(
  deployment: NonNullable<Parameters<typeof spawnService>[0]['deployment']>,
  connector: string,
  play: (serviceUrl: string) => Promise<Simulator>,
  keys: Omit<GivenProvider, 'url'> = { apiKey: '', webhookSecret: '' },
) {
  const shop = await receiver();
  const directory = await newDataDir();
  const port = await freePort();
  const simulator = await play(`http://127.0.0.1:${port}`);
  const base = simulator.baseUrl(connector);
  let running: ServiceProcess;
  let dies: Point | undefined;

  /** The next such request ends the service. */
  function kills(asked: string, when: Point[1]): boolean {
    if (dies === undefined || dies[1] !== when || !dies[0].test(asked)) return false;
    dies = undefined;
    return running.kill('SIGKILL');
  }
  const door = await listen(async ({ method = '', url = '', headers }, body, response) => {
    if (kills(`${method} ${url}`, 'arrives')) return;
    const sent = { method, headers: passedOn(headers), ...(body !== '' && { body }) };
    const answer = await fetch(base + url, sent);
    const text = await answer.text();
    if (kills(`${method} ${url}`, 'has-acted')) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  async function start(): Promise<void> {
    const provider = { url: door.url, ...keys };
    const { place } = directory;
    running = spawnService({ provider, deployment, callbackUrl: shop.url, port, place, kill: 'never' });
    await running.ready;
  }
  await start();
  return {
    shop,
    simulator,
    url: () => running.url,
    until: (number: string, words: string) =>
      shop.until(
        ({ fields }) =>
          fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
      ),
    /** Does something during which the service dies, and starts it again. */
    async dyingAt(point: Point, act: () => Promise<unknown>): Promise<void> {
      dies = point;
      const acted = act().catch(() => undefined);
      expect((await running.ended).signal).toBe('SIGKILL');
      await acted;
      await start();
    },
    async close(): Promise<void> {
      dies = undefined;
      running.kill('SIGKILL');
      await running.ended;
      await door.close();
      await simulator.close();
      await shop.close();
      await directory.remove();
    },
  };
}

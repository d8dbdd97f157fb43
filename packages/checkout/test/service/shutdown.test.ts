import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { merchant, pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { bin } from '../support/run-bin.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

let provider: PixProvider;
let data: DataDir;
// Below the package, so that the configuration finds the connector as an installed one.
const folder = mkdtempSync(fileURLToPath(new URL('../fixtures/shutdown-', import.meta.url)));

beforeEach(async () => {
  provider = await pixProvider();
  data = await newDataDir();
});

afterEach(async () => {
  await provider.close();
  await data.remove();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The command as a process of its own, under a configuration file. */
async function start() {
  const port = await freePort();
  const { connectors: _connectors, ...config } = pixConfig(provider, 'http://127.0.0.1:1/callbacks', port);
  const file = join(folder, 'railyard.config.mjs');
  const text = JSON.stringify({ ...config, ...data.place });
  writeFileSync(
    file,
    `import { instantConnector } from '@railyard/connector-pix';\nexport default { ...${text}, connectors: [instantConnector] };`,
  );
  const child = spawn(process.execPath, ['--conditions=@railyard/source', bin, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      if (said.includes('listens on')) resolve();
    });
    void ended.then(() => reject(new Error(said)));
  });
  return { url: `http://127.0.0.1:${port}`, child, ended };
}

type Sent = 'answered' | 'not-accepted' | 'failed';

/** One request on a connection that is kept. Where nobody listens any more, nothing was accepted. */
function send(url: string, agent: Agent, body: string): Promise<Sent> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${url}/api/v1/session`, { method: 'POST', agent, headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.complete && reply.statusCode === 200 ? 'answered' : 'failed'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' || !sent.reusedSocket ? 'not-accepted' : 'failed'),
    );
    sent.end(body);
  });
}

/** Sends request after request on each of its connections until nobody accepts them any more. */
async function load(url: string, connections: number, began: () => void): Promise<Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const one = async (): Promise<Sent[]> => {
    const all: Sent[] = [];
    for (let last: Sent = 'answered'; last === 'answered'; all.push(last)) {
      last = await send(url, agent, JSON.stringify(sessionBody({ merchant_key: merchant.key })));
      began();
    }
    return all;
  };
  const results = await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return results.flat();
}

describe('a service that is asked to end', () => {
  test('answers every request that it has accepted, and ends by itself', async () => {
    const { url, child, ended } = await start();
    const page = await createPage(url, sessionBody());
    const news = await fetch(`${page}/events`);
    let count = 0;
    const results = await load(url, 8, () => {
      count += 1;
      if (count === 40) child.kill('SIGTERM');
    });
    expect(await ended).toBe(0);
    expect(results.filter((each) => each === 'failed')).toEqual([]);
    expect(results.filter((each) => each === 'answered').length).toBeGreaterThanOrEqual(40);
    // Waiting pages are told when to come back.
    expect(await news.text()).toMatch(/retry: \d{4}\n\n$/);
  });

  test('lets a payment under way be answered by its provider', async () => {
    const { url, child, ended } = await start();
    const page = await createPage(url, sessionBody());
    provider.beforeReply = () => {
      provider.beforeReply = () => true;
      child.kill('SIGTERM');
      return true;
    };
    expect((await pressPay(page)).status).toBe(303);
    expect(await ended).toBe(0);
    expect(provider.ledger).toHaveLength(1);
  });

  test('ends at once when it is asked a second time', async () => {
    const { url, child, ended } = await start();
    const page = await createPage(url, sessionBody());
    provider.beforeReply = () => {
      child.kill('SIGTERM');
      child.kill('SIGINT');
      return false;
    };
    await expect(pressPay(page)).rejects.toThrow();
    expect(await ended).toBe(1);
  });
});

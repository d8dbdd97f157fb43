import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { merchantActs, payByCard } from '../support/merchant-acts.ts';
import { receiver } from '../support/receiver.ts';
import { type KillOfItself, type ServiceProcess, spawnService } from '../support/spawn-service.ts';

let provider: Awaited<ReturnType<typeof anyMethodProvider>>;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let port: number;
let running: ServiceProcess;

async function start(): Promise<void> {
  const accounts = { url: provider.url, apiKey: '', webhookSecret: '' };
  const { place } = directory;
  running = spawnService({
    provider: accounts,
    deployment: 'any-method',
    callbackUrl: shop.url,
    port,
    place,
    kill: 'never',
  });
  await running.ready;
}

beforeEach(async () => {
  provider = await anyMethodProvider();
  shop = await receiver();
  directory = await newDataDir();
  port = await freePort();
  await start();
});

afterEach(async () => {
  running.kill('SIGKILL');
  await running.ended;
  await shop.close();
  await provider.close();
  await directory.remove();
});

/** Before anything is sent, after the provider has acted, after its answer has come. */
const POINTS = ['before-call', 'before-reply', 'after-reply'] as const;

const PLANS = [
  ...POINTS.map((point) => ['capture', point, 'capture success settled'] as const),
  // A refund may be sent once only: what is not known to have come is looked up, and stays unknown if the provider never saw it.
  ['refund', 'before-call', 'refund undefined prepare'],
  ['refund', 'before-reply', 'refund success refund'],
  ['refund', 'after-reply', 'refund success refund'],
] as const;

describe('a modification of a service that is killed', () => {
  test.each(PLANS)('%s, %s: %s', async (modification, point, words) => {
    const number = await payByCard(running.url, { auth: modification === 'capture' });
    const { fields } = await shop.until((each) => each.fields.order_number === number);
    const id = fields.id ?? '';

    const itself: KillOfItself = point === 'before-reply' ? 'never' : point;
    await running.killItself(itself);
    if (point === 'before-reply') provider.acts.state.beforeReply = () => !running.kill('SIGKILL');
    const acts = merchantActs(running.url);
    const asked = acts[modification](id, '10.00').catch(() => undefined);
    expect((await running.ended).signal).toBe('SIGKILL');
    await asked;
    provider.acts.state.beforeReply = () => true;

    await start();
    await shop.until((each) => {
      const { type, status, order_status } = each.fields;
      return each.fields.id === id && `${type} ${status} ${order_status}` === words;
    });
    const { ledger, sent } = provider.acts;
    expect(new Set(sent.map((act) => act.id)).size).toBe(sent.length === 0 ? 0 : 1);
    if (modification === 'refund') expect(sent.length).toBeLessThanOrEqual(1);
    expect(ledger).toHaveLength(words.includes('undefined') ? 0 : 1);
    const ends = shop.received.filter((each) => each.fields.id === id && each.fields.status === 'success');
    expect(new Set(ends.map(({ headers }) => headers['webhook-id'])).size).toBe(words.includes('undefined') ? 1 : 2);
  });
});

import { readFileSync } from 'node:fs';
import { signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payoutFields, sendCommand } from '../support/commands.ts';
import { merchant, pixConfig } from '../support/pix-config.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { startOn } from '../support/service.ts';

/** A request recorded from an unmodified public client of the protocol. */
interface Recorded {
  readonly client: string;
  readonly id: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly secret: string;
  readonly body: string;
}

const all: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../../core/test/fixtures/client-requests.json', import.meta.url), 'utf8'),
);
const recorded = all.filter(({ path }) => path.startsWith('/post'));
const lookups = recorded.filter(({ body }) => body.includes('GET_TRANS_STATUS'));
const [secret = '', ...otherSecrets] = new Set(recorded.map((each) => each.secret));

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  service = await startOn((port) => {
    const config = pixConfig(provider, shop.url, port);
    return { ...config, merchants: config.merchants.map((each) => ({ ...each, password: secret })) };
  });
}, 60_000);

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});

async function replay({ path, headers }: Recorded, body: string) {
  const reply = await fetch(`${service.url}${path}`, { method: 'POST', headers: Object.fromEntries(headers), body });
  return { status: reply.status, json: await reply.json() };
}

test('all recorded commands are here', () => {
  expect(otherSecrets).toEqual([]);
  expect([recorded.length, lookups.length]).toEqual([22, 4]);
});

describe('commands of real clients', () => {
  // None of them is for this merchant's method. What is signed wrongly, not understood or not offered is refused in the words that they read.
  test.each(recorded)('$client $id is refused in words that it reads', async (request) => {
    const answer = await replay(request, request.body);
    expect(answer).toMatchObject({
      status: 400,
      json: { result: 'ERROR', error_code: expect.any(Number), error_message: expect.any(String) },
    });
  });

  test.each(lookups)('$client $id, signed by the formula, reads how its payout stands', async (request) => {
    const { json } = await sendCommand(service.url, payoutFields({}, { key: merchant.key, password: secret }));
    const trans_id = String(json['trans_id']);
    const hash = signCommand('transaction', { trans_id }, secret);
    const body = new URLSearchParams(request.body);
    body.set('trans_id', trans_id);
    body.set('hash', hash);
    expect(await replay(request, body.toString())).toEqual({
      status: 200,
      json: { action: 'GET_TRANS_STATUS', result: 'SUCCESS', status: 'SETTLED', order_id: json['order_id'], trans_id },
    });
  });
});

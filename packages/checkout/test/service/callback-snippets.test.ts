import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../../../../test/docs/blocks.ts';
import { php, requireTool } from '../../../../test/support/tool.ts';
import { freePort } from '../support/listen.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { callbackSecret, type Received, receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

// The programs of docs/callbacks.md, as they stand there, against what a running service has sent.
const path = fileURLToPath(new URL('../../../../docs/callbacks.md', import.meta.url));
const blocks = blocksOf({ path: 'docs/callbacks.md', text: readFileSync(path, 'utf8') });
const textOf = (language: string, has: string) =>
  blocks.find((each) => each.language === language && each.text.includes(has))?.text ?? '';
const folder = mkdtempSync(fileURLToPath(new URL('../fixtures/snippets-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const newer = `whsec_${Buffer.from('a newer key of thirty-two bytes!').toString('base64')}`;
const foreign = `whsec_${Buffer.from('the key of another merchant here').toString('base64')}`;
type Delivery = Pick<Received, 'body' | 'headers'>;
const deliveries: Delivery[] = [];

/** A service whose merchant is replacing its secret, and what it sends in this format. */
async function deliveryOf(callbackFormat: 'form' | 'json'): Promise<Delivery> {
  const [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  const service = await startOn((port) => {
    const config = pixConfig(provider, shop.url, port);
    const merchants = config.merchants.map((each) => ({
      ...each,
      callbackFormat,
      callbackSecret: [newer, callbackSecret],
    }));
    return { ...config, merchants };
  });
  const custom_data = { cart: { id: 'x&order_status=settled' } };
  await pressPay(await createPage(service.url, sessionBody({ custom_data })));
  const found = await shop.until(() => true);
  await service.stop();
  await Promise.all([shop.close(), provider.close()]);
  return found;
}

beforeAll(async () => {
  for (const format of ['form', 'json'] as const) deliveries.push(await deliveryOf(format));
}, 120_000);

/** What a receiver must answer: to what was sent, to what was changed on the way, to what is old, and with other secrets. */
function cases(): [string, Delivery, string[], number][] {
  return deliveries.flatMap(({ body, headers }, index): [string, Delivery, string[], number][] => {
    const as = index === 0 ? 'form' : 'JSON';
    const old = new Date(Date.now() - 301_000);
    const id = headers['webhook-id'] ?? '';
    const late = {
      ...headers,
      'webhook-timestamp': String(Math.floor(old.getTime() / 1000)),
      'webhook-signature': new Webhook(newer).sign(id, old, body),
    };
    return [
      [`${as}, with the new secret`, { body, headers }, [newer], 200],
      [`${as}, with the old secret`, { body, headers }, [callbackSecret], 200],
      [`${as}, with both`, { body, headers }, [callbackSecret, newer], 200],
      [`${as}, with the secret of somebody else`, { body, headers }, [foreign], 400],
      [`${as}, another status`, { body: body.replace('waiting', 'success'), headers }, [newer], 400],
      [`${as}, another id`, { body, headers: { ...headers, 'webhook-id': 'msg_0' } }, [newer], 400],
      [`${as}, five minutes old`, { body, headers: late }, [newer], 400],
      [`${as}, without signature`, { body, headers: { 'webhook-id': 'msg_1' } }, [newer], 400],
    ];
  });
}

const signed = ({ headers }: Delivery) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook-|content-type)/.test(name)));

test('what the service sends carries two signatures', () => {
  expect(deliveries.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([2, 2]);
  expect(deliveries.map(({ body }) => body.startsWith('{'))).toEqual([false, true]);
});

test('the TypeScript program accepts what the service sends and refuses everything else', async () => {
  const {
    handle,
  }: {
    handle: (
      request: Request,
      secrets: readonly string[],
      handled: Set<string>,
      paid: (...order: string[]) => Promise<void>,
    ) => Promise<Response>;
  } = await import(pathToFileURL(write('handle.ts', textOf('ts', 'verifyCallback'))).href);
  const never = () => Promise.reject(new Error('Nothing is paid.'));
  const answer = async (delivery: Delivery, secrets: string[], handled: Set<string>) => {
    const request = new Request('https://shop.example/', {
      method: 'POST',
      body: delivery.body,
      headers: signed(delivery),
    });
    return (await handle(request, secrets, handled, never)).status;
  };
  for (const [name, delivery, secrets, wanted] of cases())
    expect([name, await answer(delivery, secrets, new Set())]).toEqual([name, wanted]);

  const paidBody = new URLSearchParams(deliveries[0]?.body);
  for (const [field, value] of [
    ['status', 'success'],
    ['order_status', 'settled'],
  ] as const)
    paidBody.set(field, value);
  const at = new Date();
  const headers = {
    'webhook-id': 'msg_paid',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(newer).sign('msg_paid', at, String(paidBody)),
  };
  const orders: string[][] = [];
  const handled = new Set<string>();
  const paid = async (...order: string[]) => void orders.push(order);
  for (let time = 0; time < 2; time += 1) {
    const request = new Request('https://shop.example/', { method: 'POST', body: String(paidBody), headers });
    expect((await handle(request, [newer], handled, paid)).status).toBe(200);
  }
  expect(orders).toEqual([[paidBody.get('order_number'), '10.00', 'BRL']]);
});

describe('the PHP program', () => {
  /** PHP's own web server with the program as it stands. */
  async function serve(program: string, secrets: readonly string[]) {
    const port = await freePort();
    const file = write('callback.php', textOf('php', 'verified_callback'));
    const server = spawn(program, ['-S', `127.0.0.1:${port}`, file], {
      env: { ...process.env, CALLBACK_SECRETS: secrets.join(' ') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve) => {
      server.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString('utf8').includes('started')) resolve();
      });
    });
    const ended = new Promise((resolve) => {
      server.once('exit', resolve);
    });
    return {
      post: (delivery: Delivery) =>
        fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: delivery.body, headers: signed(delivery) }),
      async close() {
        server.kill();
        await ended;
      },
    };
  }

  test('accepts what the service sends and refuses everything else', async (ctx) => {
    const program = requireTool(ctx, php);
    for (const [name, delivery, secrets, wanted] of cases()) {
      const server = await serve(program, secrets);
      const reply = await server.post(delivery);
      const text = await reply.text();
      await server.close();
      expect([name, reply.status]).toEqual([name, wanted]);
      if (wanted === 200) expect([name, JSON.parse(text).slice(1)]).toEqual([name, ['sale', 'waiting', 'pending']]);
    }
  });

  test('makes the hashes of the recorded vectors and recognises a return', (ctx) => {
    const program = requireTool(ctx, php);
    const file = write('hash.php', textOf('php', 'callback_hash'));
    const vectors = fileURLToPath(new URL('../../../core/test/fixtures/hash-vectors.json', import.meta.url));
    const check = `
      require $argv[1];
      foreach (json_decode(file_get_contents($argv[2]), true)['vectors'] as $v) {
        $order = array_filter($v, fn ($each) => $each !== null);
        echo callback_hash('', $order, $v['password']) === $v['php_strtoupper'] ? 'right ' : 'wrong ';
      }
      $order = ['number' => 'order-1234', 'amount' => '100.99', 'currency' => 'USD', 'description' => 'Important gift'];
      $id = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002';
      echo callback_hash($id, $order, 'Demo-Merchant-Pass-01', 'sha256') . ' ';
      $query = ['payment_id' => $id, 'order_id' => 'order-1234', 'hash' => '619d98ced5f178a6b203b4bc1aa5e5a447247308'];
      echo json_encode([is_right_return($query, $order, 'Demo-Merchant-Pass-01'),
        is_right_return(['payment_id' => 'other'] + $query, $order, 'Demo-Merchant-Pass-01'), is_right_return([], $order, 'x')]);`;
    const said = execFileSync(program, ['-r', check, '--', file, vectors], { encoding: 'utf8' });
    // The worked result in SHA-256 mode is the reference's (Signatures, row 11).
    expect(said).toBe(`${'right '.repeat(12)}a79d7a4a2799bc558d38049e2777e23b03e11d76 [true,false,false]`);
  });
});

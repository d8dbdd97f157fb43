import { signRequest, signSession } from '@railyard/core/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Checkout,
  type CheckoutConfig,
  ConfigError,
  createLog,
  type GivenCatalogue,
  startCheckout,
} from '../../src/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { errorLines } from '../support/any-method-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { merchant, pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let lines: string[];
let running: Checkout[];
beforeEach(async () => {
  [provider, shop, directory] = [await pixProvider(), await receiver(), await newDataDir()];
  [lines, running] = [[], []];
});
afterEach(async () => {
  for (const each of running) await each.stop();
  await Promise.all([provider.close(), shop.close(), directory.remove()]);
});

const log = createLog({ write: (line) => lines.push(line) });
const { key } = merchant;

async function configOf(): Promise<CheckoutConfig & GivenCatalogue> {
  return pixConfig(provider, shop.url, await freePort(), directory.place);
}

async function start(config: CheckoutConfig): Promise<Checkout> {
  const checkout = await startCheckout(config, { log });
  running.push(checkout);
  return checkout;
}

/** The same merchants and MIDs with the merchant changed. */
const changed = ({ mids, merchants: [first, ...others] }: GivenCatalogue, change: object): GivenCatalogue => {
  if (first === undefined) throw new Error('There is no merchant.');
  return { mids, merchants: [{ ...first, ...change }, ...others] };
};

const create = (url: string, body: unknown) => post(`${url}/api/v1/session`, body);

async function statusOf(url: string, payment_id: string, password = merchant.password): Promise<unknown> {
  const hash = signRequest('status_by_payment', { payment_id }, password);
  return (await post(`${url}/api/v1/payment/status`, { merchant_key: key, payment_id, hash })).json;
}

/** A payment that waits for its payer. */
async function started(url: string) {
  const body = sessionBody();
  expect((await pressPay(await createPage(url, body))).status).toBe(303);
  const charge = provider.ledger.at(-1);
  if (charge === undefined) throw new Error('The provider was not called.');
  const told = await shop.until(({ fields }) => fields.order_number === body.order.number);
  return { charge, number: body.order.number, id: told.fields.id ?? '' };
}

describe('a change without a restart', () => {
  test('is in force for the next request', async () => {
    const config = await configOf();
    const checkout = await start(config);
    expect((await create(checkout.url, sessionBody())).status).toBe(200);
    expect(await checkout.configure(changed(config, { password: 'another-password' }))).toBe(2);
    expect(errorLines((await create(checkout.url, sessionBody())).json)).toEqual(['hash: Hash is not valid.']);
    const body = sessionBody();
    expect((await create(checkout.url, { ...body, hash: signSession(body.order, 'another-password') })).status).toBe(
      200,
    );
  });

  test('is not made by what cannot be used, and all that is wrong is said', async () => {
    const config = await configOf();
    const checkout = await start(config);
    const [mid] = config.mids;
    if (mid === undefined) throw new Error('There is no MID.');
    const wrong = changed(config, {
      methods: [
        { key: 'pix', mid: 'nowhere' },
        { key: 'x', mid: mid.id },
      ],
    });
    const refused = await checkout
      .configure({ ...wrong, mids: [{ ...mid, connector: 'nobody' }] })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused instanceof ConfigError ? refused.problems.map((line) => line.split(': ')[0]) : []).toEqual([
      'mids.0.connector',
    ]);
    await expect(checkout.configure(wrong)).rejects.toThrow(
      /merchants\.0\.methods\.0\.mid: [^]*merchants\.0\.methods\.1: /,
    );
    expect((await create(checkout.url, sessionBody())).status).toBe(200);
  });

  test('sends what still waits for the merchant to his new address', async () => {
    const config = await configOf();
    const checkout = await start(config);
    shop.state.status = 500;
    const { id } = await started(checkout.url);
    const moved = await receiver();
    await checkout.configure(changed(config, { callbackUrl: `${moved.url}/elsewhere` }));
    const [waiting] = await checkout.callbacks.list();
    expect(waiting).toMatchObject({ paymentId: id, url: `${moved.url}/elsewhere` });
    await moved.close();
  });

  test('that says the same is no new version', async () => {
    const config = await configOf();
    const checkout = await start(config);
    expect(await checkout.configure({ mids: config.mids, merchants: config.merchants })).toBe(1);
    await checkout.stop();
    running = [];
    await start(config);
    await expect(start({ ...config, port: 0 })).rejects.toThrow();
    await running[0]?.stop();
    running = [];
    const { db, close } = await openDatabase(openOf());
    expect(await db.selectFrom('configurations').select(['version', 'origin']).execute()).toEqual([
      { version: 1, origin: 'start' },
    ]);
    await close();
  });

  test('outlives the process: merchants and MIDs may be left out afterwards', async () => {
    const { mids: _mids, merchants: _merchants, ...rest } = await configOf();
    await expect(start(rest)).rejects.toThrow(/mids: there are none/);
    const first = await start(await configOf());
    await first.configure(changed(await configOf(), { password: 'another-password' }));
    await first.stop();
    running = [];
    const second = await start(rest);
    expect(errorLines((await create(second.url, sessionBody())).json)).toEqual(['hash: Hash is not valid.']);
  });

  test('a stored configuration with two methods of one name starts with a warning, and is not stored again', async () => {
    const { mids: _mids, merchants: _merchants, ...rest } = await configOf();
    const named = (title: string, config: GivenCatalogue) =>
      changed(config, {
        methods: [
          { key: 'pix', mid: 'pix-main' },
          { key: 'pix-again', method: 'pix', title, mid: 'pix-main' },
        ],
      });
    const first = await start({ ...(await configOf()), ...named('Canary', await configOf()) });
    await first.stop();
    running = [];
    const { db, close } = await openDatabase(openOf());
    const { publicText } = await db.selectFrom('configurations').select('publicText').executeTakeFirstOrThrow();
    await db
      .updateTable('configurations')
      .set({ publicText: publicText.replace('Canary', 'PIX') })
      .execute();
    await close();
    const second = await start(rest);
    expect(lines.filter((line) => line.includes('"methods-of-one-name"'))).toEqual([
      expect.stringContaining('payers would read \\"PIX\\" twice'),
    ]);
    await expect(second.configure(named('Pix ', await configOf()))).rejects.toThrow(/would read "Pix" twice/);
  });

  test('keeps secrets out of plain columns', async () => {
    const config = await configOf();
    const checkout = await start(config);
    await checkout.configure(changed(config, { password: [{ env: 'PATH' }, 'canary-of-a-password'] }));
    await checkout.stop();
    running = [];
    const { db, close } = await openDatabase(openOf());
    const rows = await db.selectFrom('configurations').selectAll().orderBy('version').execute();
    await close();
    const text = rows.map((row) => row.publicText + row.sealed).join('\n');
    for (const secret of [
      merchant.password,
      provider.apiKey,
      provider.webhookSecret,
      'canary-of-a-password',
      'whsec_',
      '123456',
    ])
      expect(text).not.toContain(secret);
    for (const open of [provider.url, 'Loja Exemplo', shop.url, merchant.key])
      expect(rows[1]?.publicText).toContain(open);
  });
});

const openOf = () => {
  const { dataDir, databaseUrl } = directory.place;
  return databaseUrl === undefined ? { dataDir } : { url: databaseUrl };
};

describe('what a newer version dropped', () => {
  test('takes no new payments, and open ones go on to the end: notification, callback, status', async () => {
    const config = await configOf();
    const checkout = await start(config);
    const open = await started(checkout.url);
    const [mid] = config.mids;
    const [first] = config.merchants;
    if (mid === undefined || first === undefined) throw new Error('There is nothing to drop.');
    await checkout.configure({
      mids: [{ ...mid, id: 'pix-new' }],
      merchants: [{ ...first, key: 'new-key', testKey: 'new-test-key', methods: [{ key: 'pix', mid: 'pix-new' }] }],
    });
    expect(errorLines((await create(checkout.url, sessionBody())).json)).toEqual([
      'methods: The value you selected is not a valid choice.',
    ]);
    open.charge.status = 'PAID';
    expect(await provider.notify(`${checkout.url}/notify/pix-main`, open.charge)).toBe(204);
    const told = await shop.until(({ fields }) => fields.order_number === open.number && fields.status === 'success');
    expect(told).toMatchObject({ signed: true, fields: { order_status: 'settled' } });
    expect(await statusOf(checkout.url, open.id)).toMatchObject({ status: 'settled' });
    // And again in a process that never knew it otherwise.
    await checkout.stop();
    running = [];
    const { mids: _mids, merchants: _merchants, ...rest } = config;
    const next = await start(rest);
    expect(await statusOf(next.url, open.id)).toMatchObject({ status: 'settled' });
  });

  test('comes back with its next version', async () => {
    const config = await configOf();
    const checkout = await start(config);
    const { merchants } = changed(config, { key: 'other', testKey: 'other-test' });
    await checkout.configure({ mids: config.mids, merchants });
    expect((await create(checkout.url, sessionBody())).status).toBe(400);
    await checkout.configure(config);
    expect((await create(checkout.url, sessionBody())).status).toBe(200);
  });

  test('leaves a MID with its connector', async () => {
    const config = await configOf();
    const checkout = await start(config);
    const [mid] = config.mids;
    if (mid === undefined) throw new Error('There is no MID.');
    await expect(checkout.configure({ ...config, mids: [{ ...mid, connector: 'other' }] })).rejects.toThrow(
      /mids\.0\.connector: "pix-main" is a MID of /,
    );
  });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { canaryConfig, newCanaries, talkativeProvider } from '../support/canaries.ts';
import { collectionConfig } from '../support/collection-config.ts';
import { sendCommand } from '../support/commands.ts';
import { useDatabase } from '../support/database.ts';
import { lateProvider, type LateProvider } from '../support/late-provider.ts';
import { createPage, merchant, pressPay, sessionBody } from '../support/service.ts';
import { virtualService, type VirtualService } from '../support/virtual-service.ts';

const HOUR = 3_600_000;
const START = '2026-11-21T12:00:00Z';
const SHOP = 'http://127.0.0.1:1';
const database = useDatabase();

test('a payment whose payer leaves before entering a code ends with its session, and is called back', async () => {
  const canaries = { ...newCanaries(), merchantKey: merchant.key, password: merchant.password };
  const provider = await talkativeProvider();
  const given = { providerUrl: provider.url, callbackUrl: SHOP };
  const service = await virtualService(
    database.db,
    (port) => ({ ...canaryConfig(canaries, { ...given, port }), dataDir: 'memory' }),
    START,
  );
  const page = await createPage(service.url, sessionBody({ methods: ['coded'] }));
  await pressPay(`${service.url}${new URL(page).pathname}`, { method: 'coded' });
  const [payment = expect.fail()] = await database.db.selectFrom('payments').select(['id', 'state']).execute();
  expect(payment.state).toBe('created');
  await service.pass(2 * HOUR);
  expect((await service.find(payment.id)).state).toBe('expired');
  expect((await service.told(payment.id)).at(-1)).toMatchObject({ order_status: 'decline' });
  expect(await database.db.selectFrom('sessions').select('state').execute()).toEqual([{ state: 'expired' }]);
  await service.close();
  await provider.close();
});

let provider: LateProvider;
let service: VirtualService;

beforeEach(async () => {
  provider = await lateProvider();
  service = await virtualService(database.db, (port) => collectionConfig(provider.url, SHOP, port), START);
});

afterEach(async () => {
  await service.close();
  await provider.close();
});

async function calculate(): Promise<string> {
  const { return_url: way, ...fields } = apmSaleFields({
    action: 'DEBIT2VIRTUAL_CALC',
    brand: 'pix-collection',
    payer_address: 'Rua A 1',
  });
  const { json } = await sendCommand(service.url, { payer_return_url: way ?? '', ...fields }, {}, '/post-va');
  expect(json).toMatchObject({ result: 'SUCCESS', status: 'PREPARE' });
  return String(json['trans_id']);
}

const complete = async (trans_id: string) =>
  (await sendCommand(service.url, onApmTransaction('DEBIT2VIRTUAL_COMPLETE', trans_id), {}, '/post-va')).json;

test('a calculated debit that its merchant never confirms ends with its session, and is not carried out afterwards', async () => {
  const trans_id = await calculate();
  const [{ id } = expect.fail()] = await database.db.selectFrom('payments').select('id').execute();
  service.jump(2 * HOUR);
  expect(await complete(trans_id)).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
  await service.work();
  const ended = { result: 'DECLINED', status: 'DECLINED' };
  expect(await complete(trans_id)).toMatchObject({ action: 'DEBIT2VIRTUAL_COMPLETE', ...ended });
  expect(await service.told(id)).toMatchObject([
    { action: 'DEBIT2VIRTUAL_CALC', result: 'SUCCESS', status: 'PREPARE' },
    { action: 'DEBIT2VIRTUAL_CALC', ...ended },
  ]);
  expect(provider.collections).toEqual([]);
});

test('a payer who opens the way back of a calculated debit does not confirm it', async () => {
  const trans_id = await calculate();
  const [{ id } = expect.fail()] = await database.db.selectFrom('payments').select('id').execute();
  const back = await fetch(`${service.url}/auth/${service.context.pageTokens.of(id)}/back`, { redirect: 'manual' });
  expect(back.status).toBe(303);
  expect(provider.collections).toEqual([]);
  expect(await complete(trans_id)).toMatchObject({ action: 'DEBIT2VIRTUAL_COMPLETE' });
  expect(provider.collections).toHaveLength(1);
});

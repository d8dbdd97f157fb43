import { COMMAND_PAYER_FIELDS } from '@railyard/core/payment';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GivenCatalogue } from '../../src/index.ts';
import { payoutCallbackHashOf as hashOf } from '../support/callback-hash.ts';
import { payoutFields, refusalLines, sendCommand, statusFields, toldCommand } from '../support/commands.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

const PAYER = {
  payer_first_name: 'Ana Maria',
  payer_last_name: 'Souza Lima',
  payer_birth_date: '1990-02-03',
  payer_address: 'Rua Um',
  payer_address2: 'Bloco 2, apto. 31',
  payer_house_number: '12 A',
  payer_phone_country_code: '+55',
  payer_country: 'US',
  payer_state: 'CA',
  payer_city: 'Olinda',
  payer_district: 'Carmo',
  payer_zip: '53010',
  payer_email: 'ana@example.com',
  payer_phone: '81999990000',
  payer_ip: '192.0.2.7',
} satisfies Record<(typeof COMMAND_PAYER_FIELDS)[number], string>;

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  service = await startService(provider, shop.url);
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});

type Switches = Pick<GivenCatalogue['merchants'][number], 'callbackData' | 'statusData'>;

/** Pays out with these switches. @returns the payer fields of the callback and of the lookup */
async function payOut(switches: Switches, path: string) {
  await service.configure((merchants) => merchants.map((each) => ({ ...each, ...switches })));
  const fields = payoutFields(PAYER);
  const answer = await sendCommand(service.url, fields, {}, path);
  if (answer.json['result'] !== 'SUCCESS') throw new Error(refusalLines(answer).join('; '));
  const callback = await toldCommand(shop, fields['order_id'], 'SETTLED');
  expect(callback['hash']).toBe(hashOf(callback));
  const { json } = await sendCommand(service.url, statusFields(callback['trans_id'] ?? ''), {}, path);
  return { callback: ofPayer(callback), status: ofPayer(json) };
}

const ofPayer = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith('payer_')));

test.each(['/post', '/post-va'])('%s: neither callback nor lookup carries a payer field that is off', async (path) => {
  expect(await payOut({ callbackData: [], statusData: [] }, path)).toEqual({ callback: {}, status: {} });
});

test.each(['/post', '/post-va'])('%s: all fifteen are carried as they were sent', async (path) => {
  const all = [...COMMAND_PAYER_FIELDS];
  expect(await payOut({ callbackData: all, statusData: all }, path)).toEqual({ callback: PAYER, status: PAYER });
});

test.each(COMMAND_PAYER_FIELDS)('%s has a switch of its own for callbacks, and one for lookups', async (name) => {
  const only = { [name]: PAYER[name] };
  expect(await payOut({ callbackData: [name] }, '/post')).toEqual({ callback: only, status: {} });
  expect(await payOut({ statusData: [name] }, '/post-va')).toEqual({ callback: {}, status: only });
});

test('a payer field that was not sent is left out', async () => {
  await service.configure((merchants) =>
    merchants.map((each) => ({ ...each, callbackData: [...COMMAND_PAYER_FIELDS] })),
  );
  const fields = payoutFields({ payer_email: PAYER.payer_email, payer_last_name: '' });
  await sendCommand(service.url, fields);
  const callback = await toldCommand(shop, fields['order_id'], 'SETTLED');
  expect(ofPayer(callback)).toEqual({ payer_email: PAYER.payer_email });
});

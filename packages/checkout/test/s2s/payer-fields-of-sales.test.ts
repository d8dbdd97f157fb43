import { COMMAND_PAYER_FIELDS } from '@railyard/core/payment';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GivenCatalogue } from '../../src/index.ts';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { anyMethodService } from '../support/any-method-service.ts';
import { apmSaleFields } from '../support/apm-commands.ts';
import { onTransaction, PAYER_EMAIL, saleFields } from '../support/card-commands.ts';
import { type Fields, refusalLines, sendCommand, statusFields } from '../support/commands.ts';

type Merchant = GivenCatalogue['merchants'][number];

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
  payer_email: PAYER_EMAIL,
  payer_phone: '81999990000',
  payer_ip: '192.0.2.7',
} satisfies Record<(typeof COMMAND_PAYER_FIELDS)[number], string>;

/** Of sales by card (reference: S2S CARD, SALE). */
const REQUIRED_OF_CARDS = [
  'payer_first_name',
  'payer_last_name',
  'payer_address',
  'payer_country',
  'payer_city',
  'payer_zip',
  'payer_email',
  'payer_phone',
  'payer_ip',
];

let cards: AcquirerService;
let apm: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  [cards, apm] = await Promise.all([acquirerService(), anyMethodService([{ key: 'redirect', mid: 'any' }])]);
});
afterAll(() => Promise.all([cards.stop(), apm.stop()]));

const configure = (service: Pick<AcquirerService, 'configure'>, change: Partial<Merchant>) =>
  service.configure((merchants) => merchants.map((each) => ({ ...each, ...change })));
const apmFields = (change: Fields = {}) => apmSaleFields({ brand: 'redirect', order_currency: 'USD', ...change });
const BLANK = Object.fromEntries(COMMAND_PAYER_FIELDS.map((name) => [name, '']));
const ofPayer = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith('payer_')));

const PROTOCOLS = {
  async card(switches: Partial<Merchant>) {
    await configure(cards, switches);
    const fields = saleFields(PAYER);
    const { json } = await sendCommand(cards.url, fields);
    const trans_id = String(json['trans_id']);
    const { fields: callback } = await cards.shop.until((each) => each.fields['trans_id'] === trans_id);
    const found = await sendCommand(cards.url, onTransaction('GET_TRANS_STATUS', trans_id));
    return { callback: ofPayer(callback), status: ofPayer(found.json) };
  },
  async apm(switches: Partial<Merchant>) {
    await configure(apm, switches);
    const { json } = await sendCommand(apm.url, apmFields(PAYER), {}, '/post-va');
    const trans_id = String(json['trans_id']);
    const { fields: callback } = await apm.shop.until((each) => each.fields['trans_id'] === trans_id);
    const found = await sendCommand(apm.url, statusFields(trans_id), {}, '/post-va');
    return { callback: ofPayer(callback), status: ofPayer(found.json) };
  },
};

describe.each(['card', 'apm'] as const)('a sale of S2S %s', (protocol) => {
  const sell = PROTOCOLS[protocol];

  test('says nothing of its payer unless a field is switched on', async () => {
    expect(await sell({ callbackData: [], statusData: [] })).toEqual({ callback: {}, status: {} });
  });

  test.each(COMMAND_PAYER_FIELDS)('%s has a switch of its own for callbacks, and one for lookups', async (name) => {
    const only = { [name]: PAYER[name] };
    expect(await sell({ callbackData: [name], statusData: [] })).toEqual({ callback: only, status: {} });
    expect(await sell({ callbackData: [], statusData: [name] })).toEqual({ callback: {}, status: only });
  });
});

describe('the fields of the payer that a merchant’s mapping requires', () => {
  const lacking = (names: readonly string[]) => names.map((name) => `${name}: This value should not be blank.`);
  const byCard = async (payerFields: Merchant['payerFields'], change: Fields) => {
    await configure(cards, { payerFields, callbackData: [], statusData: [] });
    return sendCommand(cards.url, saleFields(change));
  };
  const byApm = async (payerFields: Merchant['payerFields'], change: Fields) => {
    await configure(apm, { payerFields, callbackData: [], statusData: [] });
    return sendCommand(apm.url, apmFields(change), {}, '/post-va');
  };

  test('of a card are the nine of the reference unless it says otherwise', async () => {
    expect(refusalLines(await byCard({}, BLANK)).toSorted()).toEqual(lacking(REQUIRED_OF_CARDS).toSorted());
  });

  test.each(['AE', 'HK'])('of a card have no postcode in %s, where addresses have none', async (payer_country) => {
    const { json } = await byCard({}, { payer_country, payer_state: '', payer_zip: '' });
    expect(json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
    expect(refusalLines(await byCard({}, { payer_zip: '' }))).toEqual(lacking(['payer_zip']));
  });

  test.each(REQUIRED_OF_CARDS)('of a card: %s may be optional', async (name) => {
    const payerFields = { card: { [name]: 'optional' } } as const;
    expect(refusalLines(await byCard(payerFields, BLANK)).toSorted()).toEqual(
      lacking(REQUIRED_OF_CARDS.filter((each) => each !== name)).toSorted(),
    );
  });

  test('of a card may all be optional: the sale is carried out', async () => {
    const payerFields = { card: Object.fromEntries(COMMAND_PAYER_FIELDS.map((name) => [name, 'optional'] as const)) };
    const { json } = await byCard(payerFields, BLANK);
    expect(json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test.each(COMMAND_PAYER_FIELDS.filter((name) => name !== 'payer_ip'))(
    'of another method: %s may be required',
    async (name) => {
      const payerFields = { apm: { [name]: 'required' } } as const;
      expect(refusalLines(await byApm(payerFields, {}))).toEqual(lacking([name]));
      expect((await byApm({ card: payerFields.apm }, {})).status).toBe(200);
    },
  );
});

import { acquirerConnector } from '@railyard/connector-card';
import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardsOfPayment } from '../../src/cards/paid-with.ts';
import { configProblems } from '../../src/index.ts';
import { brandsOf, choiceOf, numberProblem } from '../../src/rules/browser/card-rules.js';
import { account, acquirerService } from '../support/acquirer-service.ts';
import { PAYER_EMAIL, saleFields } from '../support/card-commands.ts';
import { cardConfig, type MidChange } from '../support/card-config.ts';
import { cardBody, type CardService, cardService, payByCard } from '../support/card-service.ts';
import { cascadeService } from '../support/cascade-service.ts';
import { CO_BRANDED, CO_BRANDED_CARD, CO_BRANDS } from '../support/co-brands.ts';
import { refusalLines, sendCommand } from '../support/commands.ts';
import { useDatabase } from '../support/database.ts';
import { fieldsProcesses } from '../support/fields-processes.ts';
import { hostedFields, PAYMENT } from '../support/hosted-fields.ts';
import { createPage, merchant } from '../support/service.ts';

let service: CardService;
beforeAll(async () => {
  service = await cardService({}, CO_BRANDS);
});
afterAll(() => service.stop());

const lastCard = () => service.provider.asked.at(-1)?.card;
const plain = { ...CO_BRANDED_CARD, 'card.number': '4111111111111111' };

/** Pays on the page, and answers what the merchant is called back. */
async function paid(card: Readonly<Record<string, string>>, change: object = {}, at: CardService = service) {
  const body = cardBody({ ...change });
  const page = await createPage(at.url, body);
  const { status } = await payByCard(page, card);
  expect(status).toBe(303);
  const { fields } = await at.shop.until(({ fields: told }) => told.order_number === body.order.number);
  return fields;
}

describe('the networks of a number', () => {
  const rows = [{ from: '40355010', to: '40355019', brands: ['cartes_bancaires', 'visa'] }];

  test.each([
    ['4035501', ['visa']],
    ['40355010', ['cartes_bancaires', 'visa']],
    ['4035501999999999', ['cartes_bancaires', 'visa']],
    ['4035502000000007', ['visa']],
    ['5555', ['mastercard']],
    ['1', []],
  ] as const)('of %s are %j', (digits, brands) => {
    expect(brandsOf(digits, rows)).toEqual(brands);
    expect(choiceOf(digits, rows)).toEqual(brands.length > 1 ? brands : undefined);
  });

  test('are accepted where one of them is', () => {
    expect(numberProblem(CO_BRANDED, ['cartes_bancaires'], rows)).toBe(undefined);
    expect(numberProblem(CO_BRANDED, ['visa'], rows)).toBe(undefined);
    expect(numberProblem(CO_BRANDED, ['mastercard'], rows)).toBe('brand');
    expect(numberProblem(CO_BRANDED, ['cartes_bancaires'])).toBe('brand');
  });
});

describe('a co-branded card on the page', () => {
  test('is paid with by the network that its payer chose, which the callback tells', async () => {
    expect(await paid({ ...CO_BRANDED_CARD, 'card.brand': 'visa' })).toMatchObject({ brand: 'visa' });
    expect(lastCard()).toMatchObject({ number: CO_BRANDED, brand: 'visa', co_branded: true });
  });

  test.each([[{}], [{ 'card.brand': '' }]])('is paid with by the merchant’s choice without one: %j', async (choice) => {
    expect(await paid({ ...CO_BRANDED_CARD, ...choice })).toMatchObject({ brand: 'cartes_bancaires' });
    expect(lastCard()).toMatchObject({ brand: 'cartes_bancaires', co_branded: true });
  });

  test.each([
    [CO_BRANDED_CARD, 'mastercard'],
    [CO_BRANDED_CARD, 'cartes bancaires'],
    [plain, 'cartes_bancaires'],
  ])('is refused with a network that it has not', async (card, brand) => {
    const before = service.provider.asked.length;
    const page = await createPage(service.url, cardBody());
    const { status, text } = await payByCard(page, { ...card, 'card.brand': brand });
    expect(status).toBe(422);
    expect(text).toContain('href="#field-card.brand"');
    expect(service.provider.asked).toHaveLength(before);
  });

  test('leaves a card of one network as it is: no choice is told', async () => {
    expect(await paid(plain)).toMatchObject({ brand: 'visa' });
    expect(lastCard()).not.toHaveProperty('co_branded');
  });

  test('is saved with its network, and by another network under another token', async () => {
    const saved = async (brand: string) =>
      (await paid({ ...CO_BRANDED_CARD, 'card.brand': brand }, { req_token: true })).card_token ?? '';
    const [visa, bancaires, again] = [await saved('visa'), await saved('cartes_bancaires'), await saved('visa')];
    expect(again).toBe(visa);
    expect(bancaires).not.toBe(visa);
    await paid({ 'card.saved': '0', 'card.cvv': '123' }, { card_token: [visa] });
    expect(lastCard()).toMatchObject({ brand: 'visa', co_branded: true, stored: true });
  });

  test('that was saved by the merchant’s choice asks its payer again, and by the payer’s choice does not', async () => {
    const ofSaved = { 'card.saved': '0', 'card.cvv': '123' };
    const radios = async (token: string) => {
      const page = await createPage(service.url, cardBody({ card_token: [token] }));
      return [...(await (await fetch(page)).text()).matchAll(/value="(\w+)"\s+(checked)?\s*\/><bdi>/g)].map(
        ([, name, checked]) => [name, checked],
      );
    };
    const { card_token: unchosen = '' } = await paid(CO_BRANDED_CARD, { req_token: true });
    expect(await radios(unchosen)).toEqual([
      ['cartes_bancaires', 'checked'],
      ['visa', undefined],
    ]);
    await paid(ofSaved, { card_token: [unchosen] });
    expect(lastCard()).toMatchObject({ brand: 'cartes_bancaires', co_branded: true, stored: true });
    await paid({ ...ofSaved, 'card.brand': 'visa' }, { card_token: [unchosen] });
    expect(lastCard()).toMatchObject({ brand: 'visa', co_branded: true, stored: true });
    const chosen = await paid({ ...CO_BRANDED_CARD, 'card.brand': 'cartes_bancaires' }, { req_token: true });
    expect(chosen.card_token).not.toBe(unchosen);
    expect(await radios(chosen.card_token ?? '')).toEqual([]);
  });

  test('that its payer keeps after a wrong entry is shown again, and one that is refused is not', async () => {
    const refusedForm = async (card: Readonly<Record<string, string>>) =>
      (await payByCard(await createPage(service.url, cardBody()), { ...card, 'card.cvv': '1' })).text;
    const checked = /value="(\w+)"\s+checked/;
    expect(checked.exec(await refusedForm({ ...CO_BRANDED_CARD, 'card.brand': 'visa' }))?.[1]).toBe('visa');
    expect(checked.exec(await refusedForm({ ...plain, 'card.brand': 'cartes_bancaires' }))).toBeNull();
  });
});

describe('no network of a co-branded card is told', () => {
  test('by a payout to it, also where it is saved', async () => {
    const change = { operation: 'credit', payee: { name: 'Ada Example' } };
    const { 'card.cvv': _code, ...card } = CO_BRANDED_CARD;
    await paid(card, change);
    expect(lastCard()).toMatchObject({ number: CO_BRANDED, brand: 'visa' });
    expect(lastCard()).not.toHaveProperty('co_branded');
    const chosen = { ...CO_BRANDED_CARD, 'card.brand': 'cartes_bancaires' };
    const { card_token = '' } = await paid(chosen, { req_token: true });
    await paid({ 'card.saved': '0', 'card.expiry': '01/38' }, { ...change, card_token: [card_token] });
    expect(lastCard()).toMatchObject({ brand: 'visa', stored: true });
    expect(lastCard()).not.toHaveProperty('co_branded');
  });

  test('by a transfer from it', async () => {
    const { card_number: _number, card_exp_month = '', card_exp_year = '', card_cvv2 = '', ...fields } = saleFields();
    const hash = signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CO_BRANDED) }, merchant.password);
    const transfer = {
      ...fields,
      action: 'CARD2CARD',
      payer_card_number: CO_BRANDED,
      payer_card_exp_month: card_exp_month,
      payer_card_exp_year: card_exp_year,
      payer_card_cvv2: card_cvv2,
      payee_card_number: '4601541833776519',
      hash,
    };
    expect((await sendCommand(service.url, transfer)).json).toMatchObject({ result: 'SUCCESS' });
    expect(lastCard()).toMatchObject({ number: CO_BRANDED, brand: 'visa' });
    expect(lastCard()).not.toHaveProperty('co_branded');
  });
});

describe('a co-branded card in a command', () => {
  const sale = (change: Readonly<Record<string, string>>) =>
    sendCommand(service.url, saleFields({ card_number: CO_BRANDED, ...change }));

  test.each([
    [{ card_brand: 'visa' }, 'visa'],
    [{ card_brand: 'cartes_bancaires' }, 'cartes_bancaires'],
    [{}, 'cartes_bancaires'],
  ] as const)('with %j is paid with by %s', async (change, brand) => {
    expect((await sale(change)).json).toMatchObject({ result: 'SUCCESS' });
    expect(lastCard()).toMatchObject({ brand, co_branded: true });
  });

  test('is refused by a network that it has not, with those that it has', async () => {
    expect(refusalLines(await sale({ card_brand: 'mastercard' }))).toEqual([
      'card_brand: This card cannot be paid with by this brand. Send cartes_bancaires or visa, or leave card_brand out.',
    ]);
  });

  test('is refused with a network that no account would name', async () => {
    const plainSale = sendCommand(service.url, saleFields({ card_brand: 'visa' }));
    expect(refusalLines(await plainSale)).toEqual([
      'card_brand: No account can name the network of this card to its provider. Leave card_brand out.',
    ]);
  });

  test('without a code is refused where its network has one, and paid with where it has none', async () => {
    const [coBranded] = CO_BRANDS.coBrands ?? [];
    const bancontact = {
      ...CO_BRANDS,
      coBrands: coBranded && [{ ...coBranded, brands: ['bancontact', 'visa'] as const }],
    };
    const other = await acquirerService(JSON.parse(JSON.stringify(bancontact)));
    try {
      const codeless = (change: Readonly<Record<string, string>>) =>
        sendCommand(other.url, saleFields({ card_number: CO_BRANDED, card_cvv2: '', ...change }));
      expect((await codeless({})).json).toMatchObject({ result: 'SUCCESS' });
      expect(refusalLines(await codeless({ card_brand: 'visa' }))).toEqual([
        'card_cvv2: This value should not be blank.',
      ]);
    } finally {
      await other.stop();
    }
  });

  test('and 3-D Secure of the merchant goes by the network of the account that takes both', async () => {
    const { serves } = acquirerConnector;
    const takesNone = {
      ...acquirerConnector,
      id: 'takes-none',
      serves: serves.map(({ method, flows: { authentication: _own, ...flows } }) => ({ method, flows })),
    };
    const other = await acquirerService(
      { ...CO_BRANDS, methods: [{ key: 'card', mid: ['plain', 'cards'] }] },
      (settings) => [
        account('plain', settings, { connector: takesNone.id, cardBrands: ['cartes_bancaires'] }),
        account('cards', settings, { cardBrands: ['visa'] }),
      ],
      { connectors: [takesNone] },
    );
    try {
      const proof = {
        cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
        eci: '05',
        dsTransID: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
      };
      const { json } = await sendCommand(other.url, saleFields({ card_number: CO_BRANDED, ...proof }));
      expect(json).toMatchObject({ result: 'SUCCESS' });
      expect(JSON.parse(other.asked.at(-1)?.body ?? '{}').card).toMatchObject({ network: 'visa' });
    } finally {
      await other.stop();
    }
  });

  test('that is saved is paid with by its network, or by another that is sent', async () => {
    const { card_token = '' } = await paid({ ...CO_BRANDED_CARD, 'card.brand': 'visa' }, { req_token: true });
    const byToken = { card_number: '', card_exp_month: '', card_exp_year: '', card_token };
    expect((await sale(byToken)).json).toMatchObject({ result: 'SUCCESS' });
    expect(lastCard()).toMatchObject({ brand: 'visa' });
    expect((await sale({ ...byToken, card_brand: 'cartes_bancaires' })).json).toMatchObject({ result: 'SUCCESS' });
    expect(lastCard()).toMatchObject({ brand: 'cartes_bancaires' });
  });
});

describe('a co-branded card in hosted fields', () => {
  const typed = { number: CO_BRANDED, expiry: '01 / 38', cvv: '123' };

  test.each([
    [{ brand: 'visa' }, 'visa'],
    [{}, 'cartes_bancaires'],
  ])('with %j is paid with by %s', async (choice, brand) => {
    const fields = hostedFields(service.url);
    const token = await fields.token();
    expect((await fields.enter(token, { ...typed, ...choice })).json).toMatchObject({
      result: 'success',
      card: { brand, last_four: '0008' },
    });
    expect((await fields.described(token)).json).toMatchObject({ entered: { brand } });
    expect((await fields.pay(token)).json).toMatchObject({ result: 'success' });
    expect(lastCard()).toMatchObject({ brand, co_branded: true });
  });

  test('has its ranges in the frames with a number alone', async () => {
    const token = await hostedFields(service.url).token();
    const has = async (frame: string) =>
      (await (await fetch(`${service.url}/fields/frame/${frame}/${token}`)).text()).includes('data-co-brands');
    expect(await Promise.all(['form', 'card', 'expiry', 'cvv'].map(has))).toEqual([true, true, false, false]);
  });

  test('is refused with a network that it has not', async () => {
    const fields = hostedFields(service.url);
    const { status, json } = await fields.enter(await fields.token(), { ...typed, brand: 'mastercard' });
    expect([status, json]).toMatchObject([422, { problems: [{ name: 'card.brand' }] }]);
  });
});

describe('an account that takes one of the networks', () => {
  test.each([
    [['visa'], 'visa'],
    [['cartes_bancaires'], 'cartes_bancaires'],
  ] as const)('of %j alone is paid by it, and the payer is not asked', async (cardBrands, brand) => {
    const ofMid: MidChange = { cardBrands: [...cardBrands] };
    const other = await cardService({}, CO_BRANDS, ofMid);
    try {
      expect(await paid(CO_BRANDED_CARD, {}, other)).toMatchObject({ brand });
      expect(other.provider.asked.at(-1)?.card).toMatchObject({ brand, co_branded: true });
      expect(await (await fetch(await createPage(other.url, cardBody()))).text()).not.toContain('type="radio"');
      expect(await paid({ ...CO_BRANDED_CARD, 'card.brand': 'mastercard' }, {}, other)).toMatchObject({ brand });
    } finally {
      await other.stop();
    }
  });
});

test('an account that takes a network which it cannot name is told none, and its payer is not asked', async () => {
  const other = await cardService(
    {},
    { ...CO_BRANDS, coBrands: [{ from: '40355010', to: '40355019', brands: ['dankort', 'visa'] }] },
  );
  try {
    expect(await paid(CO_BRANDED_CARD, {}, other)).toMatchObject({ brand: 'visa' });
    expect(other.provider.asked.at(-1)?.card).not.toHaveProperty('co_branded');
  } finally {
    await other.stop();
  }
});

test('hosted fields of two methods, one network each, show and use the merchant’s choice', async () => {
  const methods = [
    { key: 'card', mid: 'visas' },
    { key: 'card-local', method: 'card', title: 'Local card', mid: 'locals' },
  ];
  const ofMerchant = { ...CO_BRANDS, methods };
  const other = await acquirerService(ofMerchant, (settings) => [
    account('visas', settings, { cardBrands: ['visa'] }),
    account('locals', settings, { cardBrands: ['cartes_bancaires'] }),
  ]);
  try {
    const fields = hostedFields(other.url);
    const pays = async (choice: object) => {
      const token = await fields.token({ methods: methods.map(({ key }) => key) });
      await fields.enter(token, { number: CO_BRANDED, expiry: '01 / 38', cvv: '123', ...choice });
      expect((await fields.pay(token)).json).toMatchObject({ result: 'success' });
      return JSON.parse(other.asked.at(-1)?.body ?? '{}').card.network;
    };
    expect([await pays({}), await pays({ brand: 'visa' })]).toEqual(['cartes_bancaires', 'visa']);
  } finally {
    await other.stop();
  }
});

const database = useDatabase();

test('a run that goes on after a restart with other ranges sends the network that was chosen', async () => {
  const before = await fieldsProcesses(database.db, CO_BRANDS);
  const token = await before.one.token();
  await before.one.enter(token, { number: CO_BRANDED, expiry: '01 / 38', cvv: '123' });
  expect((await before.one.pay(token, PAYMENT)).json).toMatchObject({ result: 'success' });
  const { id = '' } = (await before.session(token)) ?? {};
  const [payment] = await before.stores.payments.ofSession(id);
  const after = await fieldsProcesses(database.db);
  const { directory } = after.one.context;
  const cards = payment && (await cardsOfPayment({ ...before.one.context, directory }, payment, id));
  expect(cards?.card).toMatchObject({ brand: 'cartes_bancaires', coBranded: true });
});

describe('the next account of a co-branded card', () => {
  const { serves } = acquirerConnector;
  const silent = {
    ...acquirerConnector,
    id: 'names-none',
    serves: serves.map(({ method, flows: { cardBrands: _own, ...flows } }) => ({ method, flows })),
  };

  test.each([
    ['one that names none is left out after one that names', 'names-none', acquirerConnector.id, ['first', 'third']],
    ['one that names is left out after one that names none', acquirerConnector.id, 'names-none', ['first', 'third']],
  ] as const)('%s', async (_title, second, others, mids) => {
    const ofOthers = { connector: others };
    const cascade = await cascadeService(
      CO_BRANDS,
      { first: ofOthers, third: ofOthers, other: { connector: second } },
      { connectors: [silent] },
    );
    try {
      cascade.answer({ first: 'soft' });
      await cascade.pay({ methods: ['card-other'] }, {}, { ...CO_BRANDED_CARD, 'card.brand': 'visa' });
      expect(cascade.mids()).toEqual(mids);
    } finally {
      await cascade.stop();
    }
  });

  test.each([
    ['visa', ['first', 'third']],
    ['cartes_bancaires', ['first', 'local']],
  ] as const)('takes the network %s that its payer chose', async (brand, mids) => {
    const cascade = await cascadeService(CO_BRANDS, { local: { cardBrands: ['cartes_bancaires'] } });
    try {
      cascade.answer({ first: 'soft' });
      await cascade.pay({ methods: ['card-local'] }, {}, { ...CO_BRANDED_CARD, 'card.brand': brand });
      expect(cascade.tries.map(({ mid, network }) => [mid, network])).toEqual(mids.map((mid) => [mid, brand]));
    } finally {
      await cascade.stop();
    }
  });
});

function problemsWith(coBrands: readonly object[]) {
  const given = { providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:2', port: 8080 };
  const { merchants, ...config } = cardConfig(given);
  return configProblems({ ...config, merchants: JSON.parse(JSON.stringify([{ ...merchants[0], coBrands }])) });
}

test('a configuration with more than 200 ranges is refused', () => {
  const rangeAt = (at: number) => ({ from: `${403_000 + at}`, to: `${403_000 + at}`, brands: ['visa', 'dankort'] });
  const ranges = Array.from({ length: 201 }, (_, at) => rangeAt(at));
  expect(problemsWith(ranges)).toEqual(['merchants.0.coBrands: List 200 ranges or fewer.']);
  expect(problemsWith(ranges.slice(1))).toEqual([]);
});

test.each([
  [[{ from: '4035', to: '4036', brands: ['visa', 'mastercard'] }], 'coBrands.0.from: Use the first 6 to 11 digits'],
  [
    [{ from: '403551', to: '4035519', brands: ['visa', 'mastercard'] }],
    'coBrands.0.to: Use as many digits as in "from"',
  ],
  [
    [{ from: '403552', to: '403551', brands: ['visa', 'mastercard'] }],
    'coBrands.0.to: Use as many digits as in "from"',
  ],
  [[{ from: '403551', to: '403551', brands: ['visa'] }], 'coBrands.0.brands: Name two networks or more.'],
  [[{ from: '403551', to: '403551', brands: ['visa', 'visa'] }], 'coBrands.0.brands: Name each network once.'],
  [[{ from: '403551', to: '403551', brands: ['visa', 'carte'] }], 'coBrands.0.brands.1: '],
  [
    [{ from: '403551', to: '403551', brands: ['mastercard', 'cartes_bancaires'] }],
    'coBrands.0.brands: Name the network that the first digits show, too.',
  ],
  [
    [
      { from: '403551', to: '403555', brands: ['visa', 'cartes_bancaires'] },
      { from: '40355312', to: '40355312', brands: ['visa', 'dankort'] },
    ],
    'coBrands.1: Overlaps the range 0 of this list. Give each number to one range.',
  ],
])('a configuration with the ranges %j is refused: %s', (coBrands, problem) => {
  expect(problemsWith(coBrands)).toEqual(expect.arrayContaining([expect.stringContaining(`merchants.0.${problem}`)]));
});

test.each([
  [['cartes_bancaires'], ['visa'], 'cardBrands: the connector cannot name cartes_bancaires to its provider.'],
  [
    undefined,
    ['carte_bleue'],
    'connector: the connector declares the card network "carte_bleue", which the page does not know.',
  ],
  [['dankort', 'visa'], ['visa'], undefined],
] as const)('an account of %j whose connector names %j: %s', (cardBrands, named, problem) => {
  const given = { providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:2', port: 8080 };
  const {
    connectors: [own],
    ...config
  } = cardConfig(given, {}, { ...(cardBrands && { cardBrands: [...cardBrands] }) });
  const serves = own?.serves.map(({ method, flows }) => ({ method, flows: { ...flows, cardBrands: named } })) ?? [];
  const problems = configProblems({ ...config, connectors: own ? [{ ...own, serves }] : [] });
  expect(problems[0]).toEqual(problem === undefined ? undefined : expect.stringContaining(`mids.0.${problem}`));
});

import { describe, expect, test } from 'vitest';
import { configProblems } from '../../src/index.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { callbackSecret } from '../support/receiver.ts';

const SECRET = 'canary-secret-value';
const KEY = Buffer.alloc(32, 7).toString('base64');
const good = anyMethodConfig({ providerUrl: 'https://p.example', callbackUrl: 'https://s.example', port: 8080 });
const [mid, ...mids] = good.mids;
const [merchant, ...merchants] = good.merchants;
if (mid === undefined || merchant === undefined) throw new Error('The configuration is empty.');

const problems = (change: object): readonly string[] => configProblems({ ...good, ...change });

const requestKey = { id: 'shop', secret: `whsec_${btoa('a'.repeat(32))}`, permissions: ['read'] };
const withMerchant = (change: object) => ({ merchants: [{ ...merchant, ...change }, ...merchants] });
const withMid = (change: object) => ({ mids: [{ ...mid, ...change }, ...mids] });

describe('a configuration', () => {
  test('that is complete can be run', () => {
    expect(problems({})).toEqual([]);
  });

  test('with a connector that another core found good is refused for its contract', () => {
    const [first, ...others] = good.connectors;
    expect(problems({ connectors: [{ ...first, contract: 2 }, ...others] })).toEqual([
      `connectors.0: Connector ${first?.id} is written for contract 2; this core speaks contract 1. Install a version of the connector for it.`,
    ]);
  });

  test('that lacks its secrets hears of all of them at once', () => {
    const told = problems({
      merchants: [{ ...merchant, password: undefined }, ...merchants],
      mids: good.mids.map((each) => ({ ...each, settings: {} })),
    });
    const lost = ['merchants.0.password', 'mids.1.settings.api_key', 'mids.1.settings.webhook_secret'];
    for (const path of lost) expect(told).toContain(`${path}: is missing (is the environment variable set?).`);
  });

  test.each<[path: string, change: object]>([
    ['publicUrl', { publicUrl: SECRET }],
    ['port', { port: 70_000 }],
    ['mids', { mids: [] }],
    ['mids.0.id', withMid({ id: 'Not An Id' })],
    ['mids.0.connector', withMid({ connector: 'nobody' })],
    ['mids.0.settings.base_url', withMid({ settings: { base_url: SECRET } })],
    ['mids.1.id', { mids: [mid, { ...mid }, ...mids] }],
    ['mids.0.defaults.no-such', withMid({ defaults: { 'no-such': {} } })],
    ['mids.0.defaults.pix.no-such', withMid({ defaults: { pix: { 'no-such': SECRET } } })],
    ['mids.0.defaults.pix.branch_identifier', withMid({ defaults: { pix: { branch_identifier: SECRET } } })],
    ['merchants.0.password', withMerchant({ password: '' })],
    ['merchants.0.digest', withMerchant({ digest: SECRET })],
    ['merchants.0.callbackUrl', withMerchant({ callbackUrl: `ftp://${SECRET}` })],
    ['merchants.0.callbackSecret', withMerchant({ callbackSecret: SECRET })],
    ['merchants.0.callbackSecret', withMerchant({ callbackSecret: undefined })],
    ['merchants.0.callbackData.1', withMerchant({ callbackData: ['arn', SECRET] })],
    ['merchants.0.statusData.0', withMerchant({ statusData: ['payer_*'] })],
    ['merchants.0.methods', withMerchant({ methods: [] })],
    ['merchants.0.methods.0', withMerchant({ methods: [{ key: 'no-such', mid: 'any' }] })],
    [
      'merchants.0.methods.0.required.1',
      withMerchant({ methods: [{ key: 'card', mid: 'any', required: ['descriptor', 'customer.email'] }] }),
    ],
    ['merchants.0.methods.0.mid', withMerchant({ methods: [{ key: 'card', mid: 'no-such' }] })],
    ['merchants.0.methods.0.mid', withMerchant({ methods: [{ key: 'card', mid: 'pix' }] })],
    [
      'merchants.0.methods.1.key',
      withMerchant({
        methods: [
          { key: 'card', mid: 'any' },
          { key: 'card', mid: 'any' },
        ],
      }),
    ],
    ['encryptionKey', { encryptionKey: SECRET }],
    ['encryptionKey', { encryptionKey: Buffer.from(SECRET).toString('base64') }],
    ['encryptionKey', { encryptionKey: `${'!'.repeat(43)}=` }],
    ['encryptionKey.1', { encryptionKey: [KEY, KEY.replace('=', '')] }],
    ['merchants.0.maxDeclines', withMerchant({ maxDeclines: 0 })],
    ['merchants.0.password', withMerchant({ password: SECRET.slice(0, 15) })],
    ['merchants.0.test.password', withMerchant({ test: { password: SECRET.slice(0, 15) } })],
    ['merchants.0.test', withMerchant({ test: undefined })],
    ['merchants.0.test', withMerchant({ test: { password: merchant.password } })],
    ['merchants.0.test.callbackSecret', withMerchant({ test: { ...merchant.test, callbackSecret: undefined } })],
    ['merchants.0.legacyAddresses', withMerchant({ legacyAddresses: [] })],
    ['merchants.0.legacyAddresses', withMerchant({ legacySignatures: 'none' })],
    ['merchants.0.legacyAddresses.0', withMerchant({ legacyAddresses: ['10.0.0.0/33'] })],
    ['merchants.0.requestKeys', withMerchant({ requestKeys: [requestKey, requestKey] })],
    ['merchants.0.requestKeys', withMerchant({ requestKeys: [{ ...requestKey, secret: callbackSecret }] })],
    ['merchants.0.requestKeys.0.permissions', withMerchant({ requestKeys: [{ ...requestKey, permissions: [] }] })],
    ['merchants.1', { merchants: [merchant, { ...merchant, testKey: undefined, test: undefined }] }],
    ['merchants.0', withMerchant({ testKey: merchant.key })],
    ['merchants.0', withMerchant({ [SECRET.slice(0, 6)]: SECRET })],
  ])('is refused at %s without the value', (path, change) => {
    const found = problems(change);
    expect(found.map((line) => line.split(': ')[0])).toEqual([path]);
    expect(found.join('\n')).not.toContain(SECRET);
    expect(found.join('\n')).not.toContain(merchant.password);
  });

  test('is refused for all problems at once', () => {
    const change = {
      ...withMid({ connector: 'nobody' }),
      ...withMerchant({ methods: [{ key: 'no-such', mid: 'nowhere' }] }),
    };
    expect(problems(change).length).toBeGreaterThanOrEqual(3);
  });
});

describe('two methods that payers would read by the same name', () => {
  const card = { key: 'card', mid: 'any' };
  const again = { key: 'vcard', method: 'card', mid: 'any' };
  const other = { ...mid, id: 'other' };
  const offering = (methods: readonly object[], more: object = {}) =>
    problems({ ...withMerchant({ methods }), ...more });

  test('are refused, with both places and the remedy', () => {
    expect(offering([card, again])).toEqual([
      'merchants.0.methods.1.title: payers would read "card" twice, for "vcard" and for "card" at merchants.0.methods.0. Give one of the two a title of its own.',
    ]);
  });

  test.each([
    ['its title is another', [card, { ...again, title: 'Store card' }]],
    ['its title is another, by language', [card, { ...again, title: { en: 'Store card', pt: 'Cartão da loja' } }]],
  ])('are accepted where %s', (_why, methods) => {
    expect(offering(methods)).toEqual([]);
  });

  test.each([
    ['in capitals', 'Store card', 'STORE CARD'],
    ['with two blanks', 'Store card', 'Store  card'],
    ['in full-width letters', 'Store card', 'Ｓｔｏｒｅ ｃａｒｄ'],
    ['in one language alone', { en: 'Store card', pt: 'Cartão' }, { en: 'House card', pt: 'Cartão' }],
    ['in the language of the other', 'Cartão', { en: 'House card', pt: 'Cartão' }],
  ])('are refused where a title repeats the other %s', (_how, one, other) => {
    expect(
      offering([
        { ...card, title: one },
        { ...again, title: other },
      ]),
    ).toHaveLength(1);
  });

  test('are accepted where no order has both: by currency, or by test and live key', () => {
    const methods = [card, { ...again, mid: 'other' }];
    const mids = (first: object, second: object) => ({
      mids: [{ ...mid, ...first }, ...good.mids.slice(1), { ...other, ...second }],
    });
    expect(offering(methods, mids({}, {}))).toHaveLength(1);
    expect(offering(methods, mids({ currencies: ['USD'] }, { currencies: ['EUR'] }))).toEqual([]);
    expect(offering(methods, mids({ test: true }, { test: false }))).toEqual([]);
  });

  test('are accepted where one account takes sales and the other authorizations, and neither anything else', () => {
    const methods = [
      { key: 'open-banking', mid: 'open-banking' },
      { key: 'again', method: 'open-banking', mid: 'other' },
    ];
    const bank = good.mids.find(({ id }) => id === 'open-banking');
    const mids = (first: string, second: string) => ({
      mids: [
        ...good.mids.filter((each) => each !== bank),
        { ...bank, mode: first },
        { ...bank, id: 'other', mode: second },
      ],
    });
    expect(offering(methods, mids('SMS', 'DMS'))).toEqual([]);
    expect(offering(methods, mids('SMS', 'SMS/DMS'))).toHaveLength(1);
  });

  test('may not be named in no letters, or without English', () => {
    for (const title of ['  ', 'Card\u0007', { pt: 'Cartão' }])
      expect(offering([{ ...card, title }])[0]).toMatch(/^merchants\.0\.methods\.0\.title/);
  });
});

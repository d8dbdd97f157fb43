import { describe, expect, it } from 'vitest';
import { askedOf } from './support/asked.ts';
import { answerWith, type Good, type Limit, limitsOf } from './support/limits.ts';

const long = (length: number) => 'x'.repeat(length);
const digits = (count: number) => '1'.repeat(count);
const goodOf = (key: string, parameters: Good['parameters'], currency = 'USD', session: object = {}): Good => ({
  key,
  currency,
  parameters,
  session,
});
/** Any text of up to 255 characters, which the payer may type. */
const anyText = (name: string): Limit => [name, ['1', long(255), undefined], ['', ' ', long(256), 7, null]];

const withoutParameters = ['widget', 'app', 'qr', 'payment-details'].map((key) => goodOf(key, {}));
const byDocument = ['document-redirect', 'document-redirect-alt'].map((key) =>
  goodOf(key, { document_number: '1701234567' }),
);
const typed = goodOf('document-redirect-typed', { document_number: '1701234567', document_type: 'CI' });
const member = goodOf('member-redirect', { memberId: 'm-1' });
const inIndia = ['upi-personal', 'upi-personal-alt'].map((key) => goodOf(key, { personal_id: 'ABCDE1234F' }, 'INR'));
const inVietNam = ['wallet-vn-a', 'wallet-vn-b', 'wallet-vn-c'].map((key) =>
  goodOf(key, { personal_id: '001099012345' }, 'VND'),
);
const inColombia = goodOf('wallet-co', { personal_id: '1020304050' }, 'COP');
const upi = goodOf('upi', { upi_id: 'abc@ybl' }, 'INR');
const upiAddress = goodOf('upi-address', { upiAddress: 'abc@ybl' }, 'INR');
const at = (phone: string) => ({ billing_address: { phone } });
const byPhone = ['phone-wallet', 'phone-prompt'].map((key) => goodOf(key, {}, 'USD', at('+573001234567')));
const question = { SecurityQuestion: 'Where do we meet?', SecurityQuestionAnswer: 'library' };
const linkEmail = goodOf('link-email', question, 'USD', { customer: { email: 'ada@example.com' } });
const linkSms = goodOf('link-sms', question, 'USD', at('+573001234567'));
const countryFields = goodOf('country-fields', { personalId: '529.982.247-25' }, 'USD', {
  billing_address: { country: 'BR' },
});

const anywhere: readonly (readonly [Good, readonly Limit[]])[] = [
  ...withoutParameters.map((good) => [good, []] as const),
  ...byDocument.map((good) => [good, [anyText('document_number')]] as const),
  [typed, [anyText('document_number'), anyText('document_type')]],
  [member, [anyText('memberId')]],
  ...byPhone.map((good) => [good, []] as const),
  ...[linkEmail, linkSms].map(
    (good) =>
      [
        good,
        [
          ['SecurityQuestion', ['?', long(255)], [' ', long(256), 7]],
          [
            'SecurityQuestionAnswer',
            [long(3), long(25), 'é!9'],
            [undefined, '', long(2), long(26), 'two words', ' abc', 'abc ', 'a\tbc', 7, null],
          ],
        ],
      ] as const,
  ),
  [
    countryFields,
    [
      [
        'personalId',
        ['1', digits(255), '12.531.909-K', '1020304050', 'AB 12/3', undefined],
        ['', ' ', digits(256), '1_2', '1+2', 'ñ1', 7, null],
      ],
    ],
  ],
];

const inOneCurrency: readonly (readonly [Good, readonly Limit[]])[] = [
  ...inIndia.map((good) => [good, [anyText('personal_id')]] as const),
  ...inVietNam.map(
    (good) =>
      [
        good,
        [
          [
            'personal_id',
            [digits(9), digits(12), '001 099.012-345', undefined],
            ['', ' ', digits(8), digits(10), digits(11), digits(13), '12345678x', 123456789, null],
          ],
        ],
      ] as const,
  ),
  [
    inColombia,
    [
      [
        'personal_id',
        [digits(6), digits(10), '1.020.304.050', undefined],
        ['', ' ', digits(5), digits(11), '12345x', 123456, null],
      ],
    ],
  ],
  [upi, [['upi_id', ['a@b', `${long(251)}@ybl`], [undefined, '', ' ', `${long(252)}@ybl`, 7, null]]]],
  [upiAddress, [['upiAddress', ['a@b', `${long(251)}@ybl`], [undefined, '', ' ', `${long(252)}@ybl`, 7, null]]]],
];

for (const [good, limits] of [...anywhere, ...inOneCurrency]) limitsOf(good, limits);

it.each(anywhere.map(([good]) => good))('$key is taken in any currency and country', (good) => {
  const { billing_address: address } = { billing_address: {}, ...good.session };
  const session = { ...good.session, billing_address: { ...address, country: 'SE' } };
  expect(answerWith({ ...good, currency: 'SEK', session })).toEqual([]);
});

it.each(inOneCurrency.map(([good]) => good))('$key is refused in another currency', (good) => {
  expect(answerWith({ ...good, currency: 'SEK' })).toEqual([expect.stringContaining('order.currency: ')]);
});

it.each([...byPhone, linkSms])(
  '$key takes a phone number in any writing, and the service decides which it is',
  (good) => {
    const taken = ['+57300123', '573001234567', '+57(300)123-4567', '0300123456'];
    const refused = ['call me', '()', '+', '1'.repeat(33)];
    for (const phone of taken) expect([phone, answerWith({ ...good, session: at(phone) })]).toEqual([phone, []]);
    for (const phone of refused)
      expect(answerWith({ ...good, session: at(phone) })).toEqual([expect.stringContaining('billing_address.phone: ')]);
  },
);

it.each([upi, upiAddress])('$key warns of an address without the form of one', (good) => {
  const [name = ''] = Object.keys(good.parameters);
  for (const address of ['abc', 'abc@', '@ybl', 'ada@example.com', 'a b@ybl'])
    expect(answerWith(good, name, address)).toEqual([
      expect.stringContaining(`warning parameters.${good.key}.${name}`),
    ]);
});

it.each([linkEmail, linkSms])('$key refuses a security question without its answer, and the reverse', (good) => {
  const only = (name: string) => answerWith({ ...good, parameters: { [name]: Object(question)[name] } });
  const path = `parameters.${good.key}.SecurityQuestionAnswer: `;
  expect(only('SecurityQuestion')).toEqual([expect.stringContaining(path)]);
  expect(only('SecurityQuestionAnswer')).toEqual([expect.stringContaining(path)]);
  expect(answerWith({ ...good, parameters: {} })).toEqual([]);
  for (const blank of ['', null])
    expect(answerWith(good, 'SecurityQuestion', blank)).toContainEqual(
      expect.stringContaining(`parameters.${good.key}.SecurityQuestion: `),
    );
});

describe('the payer is asked for', () => {
  const from = (country: string) => ({ billing_address: { country } });
  const bare = ({ key, currency }: Good) => goodOf(key, {}, currency);
  const named = ({ key }: Good, ...names: readonly string[]) => names.map((name) => `parameters.${key}.${name}`);

  it.each(byDocument)('the number of the document where the request has none: $key', (good) => {
    expect(askedOf(bare(good))).toEqual(named(good, 'document_number'));
    expect(askedOf(good)).toMatchObject({ parameters: good.parameters });
  });

  it('its type too, but in Guatemala, Panama and Costa Rica', () => {
    for (const more of [{}, from('EC')]) {
      expect(askedOf(bare(typed), more)).toEqual(named(typed, 'document_number', 'document_type'));
      expect(askedOf(typed, more)).toMatchObject({ parameters: typed.parameters });
    }
    for (const country of ['GT', 'PA', 'CR']) {
      expect(askedOf(bare(typed), from(country))).toEqual(named(typed, 'document_number'));
      expect(askedOf(typed, from(country))).toMatchObject({ parameters: typed.parameters });
    }
  });

  it('their number at the wallet', () => {
    expect(askedOf(bare(member))).toEqual(named(member, 'memberId'));
    expect(askedOf(member)).toMatchObject({ parameters: member.parameters });
  });

  it.each([
    ...inIndia.map((good) => ({ ...good, country: 'IN' })),
    ...inVietNam.map((good) => ({ ...good, country: 'VN' })),
    { ...inColombia, country: 'CO' },
  ])('an identity number in the country of $key, or in none, and nowhere else', ({ country, ...good }) => {
    for (const more of [{}, from(country)]) {
      expect(askedOf(bare(good), more)).toEqual(named(good, 'personal_id'));
      expect(askedOf(good, more)).toMatchObject({ parameters: good.parameters });
    }
    expect(askedOf(bare(good), from('FR'))).toMatchObject({ parameters: {} });
  });

  it('their country, and in Brazil, Chile and Colombia a personal number', () => {
    expect(askedOf(bare(countryFields))).toEqual(['billing_address.country']);
    for (const country of ['BR', 'CL', 'CO'])
      expect(askedOf(bare(countryFields), from(country))).toEqual(named(countryFields, 'personalId'));
    for (const country of ['AR', 'FR'])
      expect(askedOf(bare(countryFields), from(country))).toMatchObject({ parameters: {} });
    expect(askedOf(countryFields)).toMatchObject({ parameters: countryFields.parameters });
  });

  it.each([...byPhone, linkSms])('a phone number where the session has none: $key', (good) => {
    expect(askedOf(bare(good))).toEqual(['billing_address.phone']);
    expect(askedOf(good, at('57(300)123-4567'))).toMatchObject({
      needed: { 'billing_address.phone': '57(300)123-4567' },
    });
  });

  it('an e-mail where the session has none, and never for a security question', () => {
    expect(askedOf(bare(linkEmail))).toEqual(['customer.email']);
    expect(askedOf(linkEmail)).toMatchObject({ parameters: question, needed: { 'customer.email': 'ada@example.com' } });
  });

  it('nothing where a UPI address is required of the request', () => {
    expect(askedOf(upi)).toMatchObject({ parameters: upi.parameters });
    expect(askedOf(upiAddress)).toMatchObject({ parameters: upiAddress.parameters });
  });
});

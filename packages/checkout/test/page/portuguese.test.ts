import { card } from '@railyard/connector-card';
import { instantConnector, payerIdConnector, pix, pixDocument, pixPersonal } from '@railyard/connector-pix';
import type { Method, PayerText } from '@railyard/core';
import { countries, statesOf } from '@railyard/core/countries';
import { DECLINE_REASONS, isDeclineCode } from '@railyard/core/driver';
import { countriesWithStates } from '@railyard/core/payer';
import { fieldInfo, inLanguage } from '@railyard/core/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderPage } from '../../src/page/index.ts';
import { languages, textsIn } from '../../src/page/texts/index.ts';
import { BRANDS } from '../../src/rules/browser/card-rules.js';
import { acquirerService } from '../support/acquirer-service.ts';
import { CARD, cardPage } from '../support/card-service.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { look, press } from '../support/plain-payer.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, sessionBody, startOn } from '../support/service.ts';
import { pageModel, stateNames, states } from './support/models.ts';
import { saidIn, visibleTexts } from './support/visible-texts.ts';

const LANGUAGE = 'pt-BR';
const { texts: english } = textsIn('en');
const { texts: portuguese } = textsIn(LANGUAGE);
const isPortuguese = saidIn(portuguese);

/** The connectors' own texts in Portuguese, where they have any. */
const labels = new Set(
  [card, pix, pixDocument, pixPersonal].flatMap(({ title, operations }: Method) =>
    [
      title,
      ...Object.values(operations).flatMap((spec) =>
        'parameters' in spec
          ? Object.entries(spec.parameters.shape).flatMap(([name, schema]): PayerText[] => {
              const { label, help = '' } = fieldInfo(schema, name);
              return [label, help];
            })
          : [],
      ),
    ]
      .filter((text) => typeof text !== 'string')
      .map((text) => inLanguage(text, LANGUAGE)),
  ),
);
const CHECK_DIGITS = 'Os dígitos verificadores deste documento não estão certos.';

const nameOf = new Intl.DisplayNames(LANGUAGE, { type: 'region' });

/** What the connectors of the models give: in one language, as theirs may be. */
const OF_CONNECTORS = new Set([
  'Card',
  'Cash at a shop',
  'Enter your PIN.',
  'Shop',
  'Any corner shop',
  'Bank',
  'Example Company SA de CV',
  'Banco Exemplo',
  'IBAN',
  'Reference',
  'RS35105008123123123173',
  'RF18539007547034',
  'USDT',
  'TRC-20',
  'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
  'BTC',
  'Bitcoin',
  '0.00025 BTC',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'Card (Visa)',
  '6ff9e7bb-1f4c-4a5e-9a3c-0d7f5b1c2e11',
  'quarta-feira, 4 de março de 2026 às 12:00 UTC',
  'ETH',
  'Ethereum (ERC20)',
  '0.003125000000000001 ETH',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
]);

/** Names and values: of the order, of countries and networks, amounts, times. */
const DATA = new Set([
  'Loja Exemplo',
  'Card shop',
  'Important gift',
  'Loja da Maria',
  'Two tickets, Saturday 20:00',
  'Pix',
  'OXXO',
  'BRL',
  ...[...countries.values()].flatMap(({ alpha2, name }) => [nameOf.of(alpha2) ?? name, name]),
  ...[...countriesWithStates].flatMap((code) => [...statesOf(code).values()]),
  ...BRANDS.map(({ title }) => title),
  // Other languages are offered by their own names.
  ...[...languages.keys()].flatMap((tag) => {
    const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? '';
    return [name, `${name.charAt(0).toLocaleUpperCase(tag)}${name.slice(1)}`];
  }),
]);
const isData = (text: string): boolean =>
  DATA.has(text) || /^(?:order-[\w-]+|A-1042|(?:[A-Z]{3}|R\$|US\$) ?[\d.,]+|0002\S+)$/.test(text);

/** The reader of phone numbers says it with an example of the country. */
const ABOUT_NUMBER = /^Escreva com o código do país, como \+[\d ]+\.$/;

/** Behind what is wrong with a document. */
const FOR_EXAMPLE = ' Por exemplo: 529.982.247-25';

/** The texts of a page that are neither Portuguese nor data. */
const left = (document: string): string[] =>
  visibleTexts(document)
    .map((text) => text.replace(FOR_EXAMPLE, ''))
    .filter(
      (text) =>
        !isPortuguese(text) && !labels.has(text) && text !== CHECK_DIGITS && !ABOUT_NUMBER.test(text) && !isData(text),
    );

test('the English table is not taken for Portuguese', () => {
  const said = visibleTexts(renderPage(pageModel(states.qr), { nonce: 'abc', language: 'en' }));
  expect(said.filter((text) => !isData(text) && saidIn(english)(text) && !isPortuguese(text)).length).toBeGreaterThan(
    5,
  );
});

describe('in Portuguese', () => {
  test.each(Object.keys(DECLINE_REASONS).filter(isDeclineCode))('a decline with %s', (code) => {
    const decline = { code, reason: DECLINE_REASONS[code] };
    const drawn = [
      { kind: 'declined', decline, mayRetry: true, attemptsLeft: 2 } as const,
      { kind: 'expired', decline } as const,
      { kind: 'choose', methods: [], failed: { decline, attemptsLeft: 1 } } as const,
    ].map((state) => renderPage(pageModel(state), { nonce: 'abc', language: LANGUAGE }));
    expect(drawn.flatMap(left)).toEqual([]);
  });

  /** Forms of these models have the labels of no connector. */
  const drawn = stateNames.filter((name) => !['ask', 'next-action', 'amount', 'choose'].includes(states[name].kind));
  test.each(drawn)('the page %s', (name) => {
    const found = left(renderPage(pageModel(states[name]), { nonce: 'abc', language: LANGUAGE }));
    expect(found.filter((text) => !OF_CONNECTORS.has(text))).toEqual([]);
  });
});

describe('a Pix page in Portuguese', () => {
  let provider: PixProvider;
  let service: Awaited<ReturnType<typeof startOn>>;
  let shop: Awaited<ReturnType<typeof receiver>>;

  beforeAll(async () => {
    provider = await pixProvider();
    shop = await receiver();
    service = await startOn((port) => {
      const config = pixConfig(provider, shop.url, port, { dataDir: 'memory' });
      const settings = {
        base_url: provider.url,
        client_id: 'c',
        client_secret: 's',
        notification_token: 'a-token-of-16-chars',
      };
      const strict = { mid: 'payer-id', strict_documents: true };
      return {
        ...config,
        connectors: [instantConnector, payerIdConnector],
        mids: [...config.mids, { id: 'payer-id', connector: payerIdConnector.id, settings }],
        merchants: config.merchants.map((each) => ({
          ...each,
          methods: [...each.methods, { key: 'pix-document', ...strict }, { key: 'pix-personal', ...strict }],
        })),
      };
    });
  });

  afterAll(async () => {
    await service.stop();
    await shop.close();
    await provider.close();
  });

  const session = (methods: readonly string[]) => createPage(service.url, sessionBody({ methods }));

  test('to choose a method', async () => {
    const seen = await look(await session(['pix', 'pix-document', 'pix-personal']), LANGUAGE);
    expect([...seen.links.keys()]).toEqual(expect.arrayContaining(['Pix com CPF ou CNPJ']));
    expect(visibleTexts(seen.text)).toContain('Pix');
    expect(left(seen.text)).toEqual([]);
  });

  test.each([
    ['pix-document', 'document_number'],
    ['pix-personal', 'personal_id'],
  ])('that asks for the document of %s, and says what is wrong with it', async (method, name) => {
    const page = await session([method]);
    const form = await look(page, LANGUAGE);
    expect(form.said).toContain('CPF ou CNPJ');
    expect(left(form.text)).toEqual([]);
    for (const [typed, problem] of [
      ['', 'Preencha este campo.'],
      ['123', `Confira o que você digitou: está incompleto ou tem um erro.${FOR_EXAMPLE}`],
      ['529.982.247-26', `${CHECK_DIGITS}${FOR_EXAMPLE}`],
    ] as const) {
      const fields = { method, [`parameters.${method}.${name}`]: typed };
      const seen = await press(page, 'pay', fields, LANGUAGE);
      expect(seen.said).toContain(problem);
      expect(left(seen.text)).toEqual([]);
      const checked = await fetch(`${page}/check`, {
        method: 'POST',
        headers: { 'accept-language': LANGUAGE },
        body: new URLSearchParams(fields),
      });
      expect(await checked.json()).toMatchObject({ problems: [{ text: problem }] });
    }
  });

  test('with a code, declined, and to try again', async () => {
    const page = await session(['pix']);
    expect(left((await look(page, LANGUAGE)).text)).toEqual([]);
    const code = await press(page, 'pay', {}, LANGUAGE);
    expect(code.heading).toBe(portuguese.qrTitle);
    expect(left(code.text)).toEqual([]);
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'REJECTED';
    expect(await provider.notify(`${service.url}/notify/pix-main`, charge)).toBe(204);
    const end = await look(page, LANGUAGE);
    expect(end.heading).toBe(portuguese.pay.declinedTitle);
    expect(left(end.text)).toEqual([]);
    expect(left((await look(`${page}?again=1`, LANGUAGE)).text)).toEqual([]);
  });
});

describe('a card page in Portuguese', () => {
  let service: Awaited<ReturnType<typeof acquirerService>>;
  const billing = ['address', 'country', 'city', 'zip', 'phone'].map((name) => `billing_address.${name}`);

  beforeAll(async () => {
    service = await acquirerService({
      methods: [{ key: 'card', mid: 'cards', required: ['customer.email', ...billing] }],
    });
  });

  afterAll(() => service.stop());

  const GOOD = {
    method: 'card',
    ...CARD,
    'customer.email': 'ada@example.com',
    'billing_address.address': 'Rua A 1',
    'billing_address.country': 'BR',
    'billing_address.city': 'Recife',
    'billing_address.zip': '50000-000',
    'billing_address.phone': '81999990000',
  };

  test('with its form', async () => {
    const seen = await look(await cardPage(service), LANGUAGE);
    expect(seen.heading).toBe('Pagar com Cartão');
    expect(left(seen.text)).toEqual([]);
  });

  test.each([
    ['card.number', '', 'blank'],
    ['card.number', '4111 1111 1111 1112', 'cardNumber'],
    ['card.number', '1000 0000 0000 0008', 'cardBrand'],
    ['card.expiry', '01 / 20', 'cardExpiry'],
    ['card.cvv', '1', 'cardCode'],
    ['card.name', 'Ada 2', 'cardName'],
    ['card.name', '山田 太郎', 'cardNameInLatin'],
    ['card.name', `Ada ${'x'.repeat(40)}`, 'cardNameLength'],
    ['customer.email', 'ada@example', 'email'],
    ['billing_address.country', 'Atlantis', 'country'],
    ['billing_address.phone', 'call me', 'notValid'],
    ['billing_address.city', 'x'.repeat(300), 'tooLong'],
  ] as const)('that refuses %s "%s"', async (name, typed, key) => {
    const seen = await press(await cardPage(service), 'pay', { ...GOOD, [name]: typed }, LANGUAGE);
    const { [key]: text } = portuguese.own.messages;
    if (text === undefined) throw new Error(`There is no Portuguese text for ${key}.`);
    expect(seen.said).toContain(text.split('{')[0]);
    expect(left(seen.text)).toEqual([]);
  });

  test('of a declined card, and to try again', async () => {
    const page = await cardPage(service);
    const seen = await press(page, 'pay', { ...GOOD, 'card.expiry': '02 / 38' }, LANGUAGE);
    expect(seen.heading).toBe(portuguese.pay.declinedTitle);
    expect(left(seen.text)).toEqual([]);
    expect(left((await look(`${page}?again=1`, LANGUAGE)).text)).toEqual([]);
  });
});

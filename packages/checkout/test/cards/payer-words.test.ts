import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { CARD, cardBody, cardPage, payByCard } from '../support/card-service.ts';
import { saleFields } from '../support/card-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { createPage } from '../support/service.ts';

let service: AcquirerService;
beforeAll(async () => {
  const required = ['billing_address.country', 'billing_address.state'];
  service = await acquirerService({ methods: [{ key: 'card', mid: 'cards', required }] });
});
afterAll(() => service.stop());

const show = async (page: string, language = 'en') =>
  (await fetch(page, { headers: { 'accept-language': language } })).text();

/** Value and name of the choices of a select. */
const choices = (html: string, name: string): [string, string][] => {
  const list = new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's').exec(html)?.[1] ?? '';
  return [...list.matchAll(/<option\s+value="(\w+)"[^>]*>\s*([^<]*?)\s*<\/option>/g)].map(
    ([, value = '', text = '']) => [value, text],
  );
};

/** What the acquirer was asked for by the payment of a page. */
const billed = (page: string): readonly string[] =>
  service.asked
    .filter(({ url, body }) => url.includes('/v1/') && String(body).includes(page))
    .map(({ body }) => String(body));

describe('the country on the page', () => {
  test.each([
    ['en', 'Brazil', 'Germany'],
    ['pt-BR', 'Brasil', 'Alemanha'],
  ])('is a choice with the names of the language %s, in its order', async (language, brazil, germany) => {
    const offered = choices(await show(await cardPage(service), language), 'billing_address\\.country');
    expect(offered).toHaveLength(250);
    expect(offered).toContainEqual(['BR', brazil]);
    expect(offered).toContainEqual(['DE', germany]);
    const names = offered.map(([, name]) => name);
    expect(names).toEqual(names.toSorted(new Intl.Collator(language).compare));
  });

  test.each([
    ['BR', 'BR'],
    ['br', 'BR'],
    ['BRA', 'BR'],
    ['Brazil', 'BR'],
    ['Brasil', 'BR'],
    ['brasil', 'BR'],
    ['Côte d’Ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['Ivory Coast', 'CI'],
    ['Alemanha', 'DE'],
    ['UK', 'GB'],
    ['England', 'GB'],
  ])('is understood as "%s"', async (typed, code) => {
    const page = await cardPage(service);
    const { status } = await payByCard(page, { ...CARD, 'billing_address.country': typed });
    expect(status).toBe(303);
    expect(billed(page).join()).toContain(`"country":"${code}"`);
  });

  test('is refused where it is none', async () => {
    const { status, text } = await payByCard(await cardPage(service), { ...CARD, 'billing_address.country': 'Mars' });
    expect([status, text]).toEqual([422, expect.stringContaining('This value is not a valid country.')]);
  });
});

describe('the state on the page', () => {
  test('is a choice of the five countries that have one', async () => {
    const html = await show(await cardPage(service));
    const groups = [...html.matchAll(/<optgroup[^>]*label="([^"]+)"/g)].map(([, label]) => label);
    expect(groups).toEqual(['Australia', 'Canada', 'India', 'Japan', 'United States']);
    expect(choices(html, 'billing_address\\.state')).toContainEqual(['CA', 'California']);
  });

  test.each([
    ['US', 'California', 'CA'],
    ['USA', 'ca', 'CA'],
    ['CA', 'Québec', 'QC'],
    ['IN', 'KA', 'KA'],
  ])('of %s is understood as "%s"', async (country, state, code) => {
    const page = await cardPage(service);
    const answers = { ...CARD, 'billing_address.country': country, 'billing_address.state': state };
    expect((await payByCard(page, answers)).status).toBe(303);
    expect(billed(page).join()).toContain(`"state":"${code}"`);
  });

  test.each([
    ['is missing', '', 'Please fill in this field.'],
    ['is of another country', 'NSW', 'Choose an option from the list.'],
  ])('is refused for the United States where it %s', async (_name, state, message) => {
    const answers = { ...CARD, 'billing_address.country': 'US', 'billing_address.state': state };
    const { status, text } = await payByCard(await cardPage(service), answers);
    expect([status, text]).toEqual([422, expect.stringContaining(message)]);
  });

  test('is not asked where the country of the request has none, and what is sent for it is ignored', async () => {
    const page = await cardPage(service, { billing_address: { country: 'BR' } });
    expect(await show(page)).not.toContain('billing_address.state');
    expect((await payByCard(page, { ...CARD, 'billing_address.state': 'SP' })).status).toBe(303);
    expect(billed(page).join()).not.toContain('"state"');
  });

  test('is asked alone where the request names a country that has one', async () => {
    const html = await show(await cardPage(service, { billing_address: { country: 'AU' } }));
    expect(choices(html, 'billing_address\\.state').map(([, name]) => name)).toContain('New South Wales');
    expect(choices(html, 'billing_address\\.state').map(([, name]) => name)).not.toContain('California');
    expect(choices(html, 'billing_address\\.country')).toEqual([]);
  });
});

describe('the name on the card', () => {
  test.each(['José Muñoz', 'Łukasz Żak', 'Søren Ærø', 'Јован Ђорђевић', 'Αλέξης Ζορμπάς'])(
    'is taken in the letters of its payer: %s',
    async (name) => {
      const page = await cardPage(service, { billing_address: { country: 'BR' } });
      expect((await payByCard(page, { ...CARD, 'card.name': name })).status).toBe(303);
    },
  );

  test.each([
    ['Suharto', undefined, 303],
    ['Suharto', 'Suharto', 303],
    ['Suharto', 'Haji Suharto', 422],
    ['ACME & CO LTD', 'ACME & CO LTD', 303],
  ])('"%s" of the payer whom the request names as %s: %i', async (name, sent, status) => {
    const customer = sent === undefined ? {} : { customer: { name: sent } };
    const page = await cardPage(service, { billing_address: { country: 'BR' }, ...customer });
    expect((await show(page)).includes('data-one-word')).toBe(!sent?.includes(' '));
    expect((await payByCard(page, { ...CARD, 'card.name': name })).status).toBe(status);
  });

  test('is two words or more where the mapping goes by the letter of the protocol', async () => {
    const latin = await acquirerService({ names: 'latin' });
    const answer = await payByCard(await cardPage(latin), { ...CARD, 'card.name': 'Suharto' });
    await latin.stop();
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('first and last name as on the card')]);
  });

  test('is refused kindly where its letters have no Latin ones', async () => {
    const page = await cardPage(service, { billing_address: { country: 'BR' } });
    const { status, text } = await payByCard(page, { ...CARD, 'card.name': '李 小龙' });
    expect([status, text]).toEqual([422, expect.stringContaining('Write the name in Latin letters, as on the card.')]);
  });
});

test('a description of several lines is one line for the payer and the provider, from a session and from a command', async () => {
  const description = 'Coffee\r\n  and\tcake';
  const country = { billing_address: { country: 'BR' } };
  const page = await createPage(service.url, cardBody(country, { description }));
  expect(await show(page)).toMatch(/Coffee and cake/);
  expect((await payByCard(page)).status).toBe(303);
  const { json } = await sendCommand(service.url, saleFields({ order_description: description }));
  expect(json).toMatchObject({ result: 'SUCCESS' });
  const sent = service.asked.slice(-2).map(({ body }) => /"description":"([^"]*)"/.exec(String(body))?.[1]);
  expect(sent).toEqual(['Coffee and cake', 'Coffee and cake']);
});

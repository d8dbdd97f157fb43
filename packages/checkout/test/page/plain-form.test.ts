import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquirerService } from '../support/acquirer-service.ts';
import { CARD } from '../support/card-service.ts';
import { look, press, valueOf } from '../support/plain-payer.ts';
import { createPage, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof acquirerService>>;
beforeAll(async () => {
  const required = ['billing_address.country', 'billing_address.zip'];
  service = await acquirerService({ methods: [{ key: 'card', mid: 'cards', required }] });
});
afterAll(() => service.stop());

const pageIn = (country?: string) =>
  createPage(
    service.url,
    sessionBody({ methods: ['card'], ...(country && { billing_address: { country } }) }, { currency: 'USD' }),
  );
const GOOD = { method: 'card', ...CARD };
const zip = 'billing_address.zip';

/** Whether the browser itself wants an entry there. */
const isWanted = (text: string, name: string) =>
  new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`).exec(text)?.[0].includes(' required');

describe('a form without scripts', () => {
  test('lets the browser send a card without a code, as some have none, and the service asks the others for theirs', async () => {
    const page = await pageIn('AE');
    const { text, said } = await look(page);
    expect([isWanted(text, 'card.number'), isWanted(text, 'card.cvv')]).toEqual([true, false]);
    expect(said).not.toContain('optional');
    const refused = await press(page, 'pay', { ...GOOD, 'card.cvv': '' });
    expect(refused.status).toBe(422);
    const maestro = { ...GOOD, 'card.number': '6759649826438453', 'card.cvv': '' };
    expect((await press(page, 'pay', maestro)).heading).toBe('Payment complete');
  });

  test('that was refused shows the name again, and of the card nothing else', async () => {
    const form = await press(await pageIn('US'), 'pay', GOOD);
    expect(form.status).toBe(422);
    const names = ['card.name', 'card.expiry', 'card.cvv', 'card.number'];
    expect(names.map((name) => valueOf(form, name))).toEqual(['Ada Example', '', '', '']);
  });
});

describe('a postcode that the account requires', () => {
  test.each([
    ['AE', false],
    ['HK', false],
    ['US', true],
  ])('is asked of an address in %s: %s', async (country, isAsked) => {
    const page = await pageIn(country);
    expect((await look(page)).text.includes(zip)).toBe(isAsked);
    const paid = await press(page, 'pay', GOOD);
    expect(paid.heading === 'Payment complete').toBe(!isAsked);
  });

  test('is not wanted by the browser as long as the payer has not chosen the country', async () => {
    const page = await pageIn();
    const { text } = await look(page);
    expect([text.includes(zip), isWanted(text, zip)]).toEqual([true, false]);
    const chosen = (country: string) => press(page, 'pay', { ...GOOD, 'billing_address.country': country });
    expect((await chosen('US')).status).toBe(422);
    expect((await chosen('AE')).heading).toBe('Payment complete');
  });
});

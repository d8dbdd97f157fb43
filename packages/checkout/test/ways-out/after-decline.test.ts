import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD } from '../support/card-service.ts';
import { type ManyMethodsService, manyMethodsService, sessionOf } from '../support/many-methods-service.ts';
import { look, press, type Seen, valueOf } from '../support/plain-payer.ts';

let service: ManyMethodsService;

beforeAll(async () => {
  service = await manyMethodsService();
});

afterAll(() => service.stop());

const DECLINED = { method: 'card', ...CARD, 'card.expiry': '02 / 38' };
const GOOD = { method: 'card', ...CARD };

/** A session with a card and a code whose payer's card was declined once. */
async function declinedOnce(change: Readonly<Record<string, unknown>> = {}, language = 'en') {
  const { page, number } = await sessionOf(service, ['card', 'pix'], change);
  const seen = await press(page, 'pay', DECLINED, language);
  return { page, number, seen };
}

const VALUES: Readonly<Record<string, string>> = {
  'customer.name': 'Ada Example',
  'customer.email': 'ada@example.com',
};

/** The names of the inputs that the payer fills in. */
const namesOf = ({ text }: Seen): string[] =>
  [...text.matchAll(/ id="field-[^"]*" name="([^"]+)"/g)].map(([, name = '']) => name);

const follow = (page: string, { links }: Seen, name: RegExp, language = 'en') => {
  const [, href = ''] = [...links].find(([said]) => name.test(said)) ?? [];
  return look(new URL(href, page).href, language);
};

describe('after a decline in a session with several methods', () => {
  test('the other methods stand on the page, and one with nothing to enter is paid from there', async () => {
    const { page, seen } = await declinedOnce();
    expect(seen.heading).toBe('Payment declined');
    expect(seen.forms).toContain('pay');
    expect(seen.text).toContain('name="method" value="pix"');
    const paid = await press(page, 'pay', { method: 'pix' });
    expect(paid.heading).toBe('Scan to pay');
  });

  test('"Try again" leads to the method that was tried, and the address of another to that one', async () => {
    const { page, seen } = await declinedOnce();
    const form = await follow(page, seen, /^Try again$/);
    expect(form.heading).toBe('Pay with Card');
    expect((await look(`${page}?method=pix`)).heading).toBe('Pay with Pix');
    expect((await press(page, 'pay', GOOD)).heading).toBe('Payment complete');
  });

  test('every list of methods of the session leads on, however it is reached', async () => {
    const { page } = await declinedOnce();
    const choose = await look(`${page}?again=1`);
    expect(choose.forms).toContain('pay');
    expect((await follow(page, choose, /^Card$/)).forms).toContain('pay');
  });

  test.for([
    ['en', 'Your last attempt did not go through: Your card was declined.', 'You can try 2 more times.'],
    ['pt-BR', 'Sua última tentativa não deu certo: Seu cartão foi recusado.', 'Você pode tentar mais 2 vezes.'],
  ] as const)(
    'the form says why it failed, in %s, and how often it may be tried again',
    async ([language, why, left]) => {
      const { page } = await declinedOnce({}, language);
      const form = await look(`${page}?again=1&method=card`, language);
      expect(form.said).toContain(why);
      expect(form.said).toContain(left);
    },
  );

  test('the form keeps what was entered', async () => {
    const { page } = await sessionOf(service, ['mobile-money', 'card'], {}, { currency: 'KES', amount: '100.00' });
    const entered: Record<string, string> = {};
    for (const name of namesOf(await look(`${page}?method=mobile-money`)))
      entered[name] = VALUES[name] ?? '254712345678';
    expect(Object.keys(entered)).toContain('customer.email');
    await press(page, 'pay', { method: 'mobile-money', ...entered });
    const entry = service.mobile.ledger.at(-1);
    if (entry === undefined) throw new Error('The provider was asked nothing.');
    Object.assign(entry, { status: 'failed', failure_code: 'insufficient_funds' });
    await service.mobile.tell(entry);
    const form = await look(`${page}?again=1&method=mobile-money`);
    expect(form.said).toContain('There is not enough money in your account.');
    for (const [name, value] of Object.entries(entered)) expect([name, valueOf(form, name)]).toEqual([name, value]);
  });

  test('the card form keeps the name, and nothing else of the card', async () => {
    const { page } = await declinedOnce();
    const form = await look(`${page}?again=1&method=card`);
    expect(valueOf(form, 'card.name')).toBe('Ada Example');
    expect(valueOf(form, 'card.expiry')).toBe('');
    expect(valueOf(form, 'card.cvv')).toBe('');
    expect(form.text).not.toContain('4111 1111');
    expect(form.text).not.toContain('41111111');
  });
});

describe('the count of declines', () => {
  test('ends the session at the merchant’s number and leads to cancel_url with the payment', async () => {
    const { page, number } = await sessionOf(service, ['card', 'pix']);
    const lefts: string[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const seen = await press(page, 'pay', DECLINED);
      lefts.push(/You can try [^.]*\./.exec(seen.said)?.[0] ?? '');
      expect(seen.goesOnTo).toBeUndefined();
    }
    expect(lefts).toEqual(['You can try 2 more times.', 'You can try once more.']);
    const last = await press(page, 'pay', DECLINED);
    expect(last.heading).toBe('Payment declined');
    const back = new URL(last.goesOnTo ?? '');
    expect(back.origin + back.pathname).toBe('https://shop.example/cancel');
    expect(back.searchParams.get('order_id')).toBe(number);
    for (const name of ['payment_id', 'trans_id', 'hash']) expect(back.searchParams.get(name)).toMatch(/.{8}/);
    const before = service.card.asked.length;
    expect((await press(page, 'pay', GOOD)).heading).toBe('Payment declined');
    expect((await look(`${page}?again=1&method=card`)).heading).toBe('Payment declined');
    expect(service.card.asked).toHaveLength(before);
  });
});

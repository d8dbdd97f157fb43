import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CARD } from '../support/card-service.ts';
import { type ManyMethodsService, manyMethodsService, sessionOf } from '../support/many-methods-service.ts';
import { look, press } from '../support/plain-payer.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-21T12:00:00Z');
let at = START;
let service: ManyMethodsService;

beforeAll(async () => {
  service = await manyMethodsService({}, { clock: () => at });
});

beforeEach(() => {
  at += 24 * 60 * MINUTE;
  service.pix.clock = () => at;
  service.pix.lifetimeMs = undefined;
});

afterAll(() => service.stop());

const GOOD = { method: 'card', ...CARD };
const CLOSED = 'This page has closed';

/** Where a page leads on to: its address without the query, and the query's fields. */
function wayOn(address: string | undefined) {
  const url = new URL(address ?? 'none:none');
  return { to: url.origin + url.pathname, names: [...url.searchParams.keys()].toSorted() };
}

const WITH_PAYMENT = ['hash', 'order_id', 'payment_id', 'state', 'trans_id'];

describe('expiry_url', () => {
  test('is where a page leads on to whose time is over, without a payment', async () => {
    const { page } = await sessionOf(service, ['card'], { session_expiry: 5 });
    at += 5 * MINUTE;
    const seen = await look(page);
    expect(seen.heading).toBe(CLOSED);
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/expiry', names: [] });
  });

  test.for([
    ['a whole form', GOOD],
    ['a form with mistakes', { method: 'card', 'card.number': '1' }],
  ] as const)('is where %s leads that is sent too late, and no provider is asked', async ([_name, fields]) => {
    const { page } = await sessionOf(service, ['card'], { session_expiry: 5 });
    at += 5 * MINUTE;
    const before = service.card.asked.length;
    const seen = await press(page, 'pay', fields);
    expect([seen.status, seen.heading]).toEqual([200, CLOSED]);
    expect(wayOn(seen.goesOnTo).to).toBe('https://shop.example/expiry');
    expect(service.card.asked).toHaveLength(before);
  });

  test('is where a payer leads who was at the bank when time was over, and the bank’s answer is not sent on', async () => {
    const { page, number } = await sessionOf(service, ['card'], { session_expiry: 5 });
    await press(page, 'pay', { ...GOOD, 'card.expiry': '05 / 38' });
    const asked = service.card.asked.at(-1);
    at += 5 * MINUTE;
    const seen = await press(page, 'back', { cres: `cres-${asked?.id ?? ''}` });
    expect(seen.heading).toBe(CLOSED);
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/expiry', names: WITH_PAYMENT });
    expect(asked?.status).toBe('CHALLENGE');
    await service.shop.until(({ fields }) => fields.order_number === number && fields.order_status === 'decline');
  });

  test('is where a payer leads whose attempt was declined before time was over', async () => {
    const { page } = await sessionOf(service, ['card'], { session_expiry: 5 });
    await press(page, 'pay', { ...GOOD, 'card.expiry': '02 / 38' });
    at += 5 * MINUTE;
    const seen = await look(page);
    expect(seen.heading).toBe(CLOSED);
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/expiry', names: WITH_PAYMENT });
  });

  test('has one winner at the last moment: the provider is asked, or the page has closed', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { page } = await sessionOf(service, ['card'], { session_expiry: 1 });
      at += MINUTE - 1;
      const before = service.card.asked.length;
      const turns = [() => press(page, 'pay', GOOD), () => look(page), () => look(page)];
      const order = round % 2 === 0 ? turns : turns.toReversed();
      const seen = await Promise.all(
        order.map((turn, index) => {
          if (index === round % 3) at += 1 + (round % 2);
          return turn();
        }),
      );
      const asked = service.card.asked.length - before;
      const closed = [...seen, await look(page)].filter(({ heading }) => heading === CLOSED).length;
      expect([asked, closed > 0]).toEqual(asked === 1 ? [1, false] : [0, true]);
    }
  });

  test('is noticed by the page’s own question how things stand', async () => {
    const { page } = await sessionOf(service, ['card'], { session_expiry: 5 });
    const version = async (): Promise<number> => {
      const news: unknown = await (await fetch(`${page}/status`)).json();
      return typeof news === 'object' && news !== null && 'version' in news ? Number(news.version) : -1;
    };
    const before = await version();
    at += 5 * MINUTE - 1;
    expect(await version()).toBe(before);
    at += 1;
    expect(await version()).toBeGreaterThan(before);
  });
});

describe('a code that lives longer than its session', () => {
  const validOf = (text: string) => /data-countdown="([^"]+)"/.exec(text)?.[1];

  test('does not count down to the end of the session, and says what becomes of later money', async () => {
    service.pix.lifetimeMs = 60 * MINUTE;
    const { page } = await sessionOf(service, ['pix'], { session_expiry: 10 });
    const seen = await press(page, 'pay', { method: 'pix' });
    expect(validOf(seen.text)).toBeUndefined();
    expect(seen.said).toContain('Pay by ');
    expect(seen.said).toContain('You can close this page and pay later');
  });

  test('is shown as it is where it ends first', async () => {
    service.pix.lifetimeMs = 5 * MINUTE;
    const { page } = await sessionOf(service, ['pix'], { session_expiry: 10 });
    const seen = await press(page, 'pay', { method: 'pix' });
    expect(Date.parse(validOf(seen.text) ?? '')).toBe(at + 5 * MINUTE);
    expect(seen.said).not.toContain('still counts');
    expect((await press(page, 'change')).said).toContain('After that, try again here.');
  });

  test('promises no other try here to a payer who wants out', async () => {
    service.pix.lifetimeMs = 60 * MINUTE;
    const { page } = await sessionOf(service, ['pix'], { session_expiry: 10 });
    await press(page, 'pay', { method: 'pix' });
    const seen = await press(page, 'change');
    expect(seen.said).toContain('You can pay until');
    expect(seen.said).not.toContain('try again here');
  });

  test('is not called a failure when the session has ended, and shows the money that comes late', async () => {
    service.pix.lifetimeMs = 60 * MINUTE;
    const { page } = await sessionOf(service, ['pix'], { session_expiry: 10 });
    await press(page, 'pay', { method: 'pix' });
    const charge = service.pix.ledger.at(-1);
    at += 10 * MINUTE;
    const seen = await look(page);
    expect(seen.heading).toBe(CLOSED);
    expect(seen.said).toContain('You can still pay until');
    // Who has just paid reads this, and sees the result here.
    expect(seen.goesOnTo ?? '').not.toContain('shop.example');
    expect(wayOn([...seen.links.values()].find((link) => link.includes('/expiry')))).toEqual({
      to: 'https://shop.example/expiry',
      names: WITH_PAYMENT,
    });
    if (charge === undefined) throw new Error('The provider was asked nothing.');
    charge.status = 'PAID';
    await service.pix.notify(`${service.url}/notify/pix-main`, charge, { at });
    expect((await look(page)).heading).toBe('Payment complete');
  });
});

describe('cancel_url', () => {
  test('is where a payer leads who closes the form, without a payment', async () => {
    const { page } = await sessionOf(service, ['card', 'pix']);
    const seen = await press(page, 'cancel');
    expect(seen.heading).toBe('Payment cancelled');
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/cancel', names: [] });
  });

  test('has the payment of a payer who closes the form after a decline', async () => {
    const { page } = await sessionOf(service, ['card', 'pix']);
    await press(page, 'pay', { ...GOOD, 'card.expiry': '02 / 38' });
    const seen = await press(page, 'cancel');
    expect(seen.heading).toBe('Payment cancelled');
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/cancel', names: WITH_PAYMENT });
  });
});

describe('error_url', () => {
  const BROKEN = 'Something went wrong on our side';

  test('is where a technical error leads that stopped a payment, with the payment', async () => {
    const { page } = await sessionOf(service, ['broken', 'card']);
    const seen = await press(page, 'pay', { method: 'broken' });
    expect(seen.heading).toBe(BROKEN);
    expect(seen.said).toContain('Nothing was charged');
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/error', names: WITH_PAYMENT });
  });

  test('that is not given leaves a page of our own, with the other methods', async () => {
    const { page } = await sessionOf(service, ['broken', 'card'], { error_url: undefined });
    const seen = await press(page, 'pay', { method: 'broken' });
    expect([seen.heading, seen.goesOnTo]).toEqual([BROKEN, undefined]);
    const form = await look(new URL(seen.links.get('Card') ?? '', page).href);
    expect(form.heading).toBe('Pay with Card');
    expect((await press(page, 'pay', GOOD)).heading).toBe('Payment complete');
  });

  test('is where a session leads whose methods the merchant has lost meanwhile', async () => {
    const { page } = await sessionOf(service, ['broken']);
    await service.configure((merchants) =>
      merchants.map((each) => ({ ...each, methods: each.methods.filter(({ key }) => key !== 'broken') })),
    );
    const seen = await look(page);
    expect(seen.heading).toBe(BROKEN);
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/error', names: [] });
    await service.configure((merchants) => [...merchants]);
  });

  test('is where a session leads whose merchant is gone', async () => {
    const { page } = await sessionOf(service, ['card']);
    await service.configure((merchants) =>
      merchants.map((each) => ({ ...each, key: 'another', testKey: 'another-test' })),
    );
    const seen = await look(page);
    expect(seen.heading).toBe(BROKEN);
    expect(wayOn(seen.goesOnTo)).toEqual({ to: 'https://shop.example/error', names: [] });
    await service.configure((merchants) => [...merchants]);
  });
});

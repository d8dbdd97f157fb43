import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CARD } from '../support/card-service.ts';
import { type ManyMethodsService, manyMethodsService, sessionOf } from '../support/many-methods-service.ts';
import { look, press, type Seen } from '../support/plain-payer.ts';

let service: ManyMethodsService;

beforeAll(async () => {
  service = await manyMethodsService({ maxDeclines: 20 });
});

beforeEach(() => {
  service.mobile.state.auth = 'STK_PROMPT';
  service.card.state.beforeReply = () => true;
});

afterAll(() => service.stop());

const CHALLENGED = { method: 'card', ...CARD, 'card.expiry': '05 / 38' };
const GOOD = { method: 'card', ...CARD };
const STILL_OPEN = 'This payment can still be completed';
const CUSTOMER = { customer: { name: 'Ada Example', email: 'ada@example.com' } };

/** The entries of a ledger that were made by this. */
async function madeBy<T>(ledger: readonly T[], act: () => Promise<unknown>): Promise<T> {
  const before = ledger.length;
  await act();
  const [made, ...more] = ledger.slice(before);
  if (made === undefined || more.length > 0) throw new Error(`The provider was asked ${more.length + 1} times.`);
  return made;
}

const told = (number: string) =>
  service.shop.received.filter(({ fields }) => fields.order_number === number).map(({ fields }) => fields.order_status);

/** A session whose payer was sent to 3-D Secure. */
async function challenged() {
  const { page, number } = await sessionOf(service, ['card', 'pix']);
  const asked = await madeBy(service.card.asked, () => press(page, 'pay', CHALLENGED));
  return { page, number, asked, comeBack: () => press(page, 'back', { cres: `cres-${asked.id}` }) };
}

/** A session whose payer is asked on the phone. */
async function prompted(auth: 'STK_PROMPT' | 'OTP' = 'STK_PROMPT') {
  service.mobile.state.auth = auth;
  const order = { currency: auth === 'OTP' ? 'GHS' : 'KES', amount: '100.00' };
  const { page, number } = await sessionOf(service, ['mobile-money', 'card'], CUSTOMER, order);
  const asked = await look(`${page}?method=mobile-money`);
  const field = / name="(parameters[^"]+)"/.exec(asked.text)?.[1] ?? '';
  const payFrom = (phone: string) => press(page, 'pay', { method: 'mobile-money', [field]: phone });
  const phone = auth === 'OTP' ? '233240000000' : '254712345678';
  const entry = await madeBy(service.mobile.ledger, () => payFrom(phone));
  return { page, number, entry, payFrom };
}

/** A session whose payer has a code. */
async function coded() {
  const { page, number } = await sessionOf(service, ['pix', 'card']);
  const charge = await madeBy(service.pix.ledger, () => press(page, 'pay', { method: 'pix' }));
  return { page, number, charge, notifyUrl: `${service.url}/notify/pix-main` };
}

describe('a payer who turns back from 3-D Secure', () => {
  test('sees ways out beside the way on', async () => {
    const { page } = await challenged();
    const seen = await look(page);
    expect(seen.heading).toBe('Continue on the next page');
    expect(seen.forms).toEqual(expect.arrayContaining(['change', 'cancel']));
    // A page that goes on by itself could not be left without scripts.
    expect(seen.goesOnTo).toBeUndefined();
  });

  test('pays another way, and the answer of the bank that comes late is not sent on', async () => {
    const { page, asked, comeBack, number } = await challenged();
    const form = await press(page, 'change');
    expect(form.heading).toBe('Choose how to pay');
    expect(form.said).toContain('The last attempt was stopped. Nothing was charged.');
    await comeBack();
    expect(asked.status).toBe('CHALLENGE');
    expect((await press(page, 'pay', { method: 'pix' })).heading).toBe('Scan to pay');
    await comeBack();
    expect(asked.status).toBe('CHALLENGE');
    expect(told(number).filter((each) => each === 'settled')).toEqual([]);
  });

  test('tries the same method with another card', async () => {
    const { page } = await challenged();
    await press(page, 'change');
    expect((await press(page, 'pay', GOOD)).heading).toBe('Payment complete');
  });

  test('cancels, and is led to cancel_url with the payment', async () => {
    const { page, asked, comeBack, number } = await challenged();
    const seen = await press(page, 'cancel');
    expect(seen.heading).toBe('Payment cancelled');
    const back = new URL(seen.goesOnTo ?? '');
    expect(back.origin + back.pathname).toBe('https://shop.example/cancel');
    expect(back.searchParams.get('order_id')).toBe(number);
    expect(back.searchParams.get('payment_id')).toMatch(/^[0-9a-f-]{36}$/);
    await comeBack();
    expect(asked.status).toBe('CHALLENGE');
    expect((await press(page, 'pay', GOOD)).heading).toBe('Payment cancelled');
  });
});

describe('a payer who is asked for a code that was sent to another phone', () => {
  test('gives another number', async () => {
    const { page, payFrom } = await prompted('OTP');
    const asked = await look(page);
    expect(asked.forms).toEqual(expect.arrayContaining(['answer', 'change', 'cancel']));
    expect((await press(page, 'change')).forms).not.toContain('answer');
    const entry = await madeBy(service.mobile.ledger, () => payFrom('233240000001'));
    expect(entry.sent).toMatchObject({ mobile_money: { number: '233240000001' } });
  });
});

describe('a payer who wants out while money can still move', () => {
  test('reads so, and can pay nothing else, while the phone is asked', async () => {
    const { page, entry, payFrom } = await prompted();
    const seen = await press(page, 'change');
    expect(seen.heading).toBe(STILL_OPEN);
    expect(seen.said).toContain('Do not pay again');
    expect(seen.forms).not.toContain('pay');
    const before = service.mobile.ledger.length;
    await payFrom('254712345679');
    await press(page, 'pay', { ...GOOD });
    expect(service.mobile.ledger).toHaveLength(before);
    // The provider, asked when the payer presses again, says that nothing moves any more.
    entry.status = 'timed_out';
    const form = await press(page, 'change');
    expect(form.heading).toBe('Choose how to pay');
    expect(form.said).toContain('The payment was not confirmed in time.');
    const second = await madeBy(service.mobile.ledger, () => payFrom('254712345679'));
    expect(second.sent).toMatchObject({ mobile_money: { number: '254712345679' } });
  });

  test('may leave to the shop with the payment, which stays open and is shown when it is paid', async () => {
    const { page, charge, notifyUrl, number } = await coded();
    const seen = await press(page, 'cancel');
    expect(seen.heading).toBe(STILL_OPEN);
    const shop = new URL([...seen.links].find(([said]) => said === 'Back to Corner shop')?.[1] ?? '');
    expect(shop.origin + shop.pathname).toBe('https://shop.example/cancel');
    expect(shop.searchParams.get('order_id')).toBe(number);
    expect(shop.searchParams.get('payment_id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen.goesOnTo).not.toMatch(/shop/);
    charge.status = 'PAID';
    await service.pix.notify(notifyUrl, charge);
    expect((await look(page)).heading).toBe('Payment complete');
  });

  test('goes back to the code that is still there', async () => {
    const { page, charge } = await coded();
    const seen = await press(page, 'change');
    const [, back = ''] = [...seen.links].find(([said]) => said === 'Back to this payment') ?? [];
    expect((await look(new URL(back, page).href)).text).toContain(charge.code);
  });

  test('chooses another way once the provider says that the code is not valid any more', async () => {
    const { page, charge } = await coded();
    charge.status = 'EXPIRED';
    expect((await press(page, 'change')).heading).toBe('Choose how to pay');
    expect((await press(page, 'pay', GOOD)).heading).toBe('Payment complete');
  });

  test('chooses another way once the bank says that it was cancelled there', async () => {
    const { page } = await sessionOf(service, ['online-bank-transfer', 'card'], CUSTOMER, { currency: 'EUR' });
    const entry = await madeBy(service.bank.ledger, () => press(page, 'pay', { method: 'online-bank-transfer' }));
    expect((await look(page)).forms).toEqual(['cancel']);
    expect((await press(page, 'change')).heading).toBe(STILL_OPEN);
    entry.status = 'CANCELLED';
    expect((await press(page, 'change')).heading).toBe('Choose how to pay');
  });

  test('may leave while the outcome is unknown, and is offered nothing to pay', async () => {
    const { page } = await sessionOf(service, ['card', 'pix']);
    let answer: (reply: boolean) => void = () => undefined;
    let paying: Promise<Seen> | undefined;
    await new Promise<void>((arrived) => {
      service.card.state.beforeReply = () => {
        arrived();
        return new Promise((resolve) => {
          answer = resolve;
        });
      };
      paying = press(page, 'pay', GOOD);
    });
    const seen = await look(page);
    expect(seen.heading).toBe('Checking your payment');
    expect(seen.forms).toEqual([]);
    expect([...seen.links.keys()]).toContain('Back to Corner shop');
    for (const action of ['change', 'cancel']) expect((await press(page, action)).forms).not.toContain('pay');
    answer(true);
    expect((await paying)?.heading).toBe('Payment complete');
  });
});

/** A payer who has a code, and whom another method then sent to a bank. */
async function codedAndSent(method: 'card' | 'online-bank-transfer') {
  const { page, number } = await sessionOf(service, ['pix', method], CUSTOMER);
  const charge = await madeBy(service.pix.ledger, () => press(page, 'pay', { method: 'pix' }));
  const fields = method === 'card' ? CHALLENGED : { method };
  await press(page, 'pay', { ...fields, beside: '1' });
  const payCode = async () => {
    charge.status = 'PAID';
    await service.pix.notify(`${service.url}/notify/pix-main`, charge);
  };
  return { page, number, payCode };
}

describe('a payer who is at a bank while the code that they left is paid', () => {
  test.for([true, false])(
    'is not charged where the bank’s answer is not sent on yet; they come back: %s',
    async (comesBack) => {
      const { page, number, payCode } = await codedAndSent('card');
      const asked = service.card.asked.at(-1);
      const before = service.lines.length;
      await payCode();
      if (comesBack)
        expect((await press(page, 'back', { cres: `cres-${asked?.id}` })).heading).toBe('Payment complete');
      await vi.waitFor(() => expect(service.lines.slice(before).join()).toContain('"to":"declined"'));
      expect(asked?.status).toBe('CHALLENGE');
      expect((await look(page)).heading).toBe('Payment complete');
      await service.shop.until(() => told(number).includes('settled'));
      expect(told(number)).not.toContain('decline');
    },
  );

  test('has the bank asked when they come back, and a second payment is treated as one', async () => {
    const { page, number, payCode } = await codedAndSent('online-bank-transfer');
    const before = service.lines.length;
    await payCode();
    const entry = service.bank.ledger.at(-1);
    if (entry === undefined) throw new Error('The bank was asked nothing.');
    entry.status = 'PAID';
    const seen = await press(page, 'back', { transaction_id: entry.id });
    expect(seen.heading).toBe('Payment complete');
    // No notification came, and no lookup was due yet.
    const settled = service.lines.slice(before).filter((line) => line.includes('"to":"settled"'));
    expect(settled).toHaveLength(2);
    await service.shop.until(() => told(number).filter((each) => each === 'settled').length === 2);
    await vi.waitFor(() => expect(service.lines.join('\n')).toContain('Its order is paid twice'));
  });
});

const ROUNDS = 12;

describe('of two who act at once', () => {
  test('money that arrives wins over a payer who cancels a code', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page, charge, notifyUrl } = await coded();
      charge.status = 'PAID';
      await Promise.all([
        press(page, 'cancel'),
        service.pix.notify(notifyUrl, charge),
        press(page, 'change'),
        press(page, 'pay', GOOD),
      ]);
      expect((await look(page)).heading).toBe('Payment complete');
      const before = service.card.asked.length;
      await press(page, 'pay', GOOD);
      expect(service.card.asked).toHaveLength(before);
    }
  });

  test('either the bank’s answer is sent on or the payer has turned back, never both', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page, asked, comeBack } = await challenged();
      const acts = [comeBack, () => press(page, round % 2 === 0 ? 'change' : 'cancel'), comeBack];
      await Promise.all((round % 3 === 0 ? acts.toReversed() : acts).map((act) => act()));
      await press(page, 'pay', GOOD);
      const paid = service.card.asked.filter((each) => each.return_url === asked.return_url && each.status === 'PAID');
      const { heading } = await look(page);
      ends.add(`${asked.status} ${heading}`);
      expect(paid.length).toBe(heading === 'Payment complete' ? 1 : 0);
    }
    expect([...ends].every((end) => /^PAID Payment complete|^CHALLENGE /.test(end))).toBe(true);
  });

  test('of twenty presses of one button the attempt ends once', async () => {
    const { page, number } = await challenged();
    await Promise.all(Array.from({ length: 20 }, () => press(page, 'change')));
    await service.shop.until(({ fields }) => fields.order_number === number && fields.order_status === 'decline');
    expect(told(number).filter((each) => each === 'decline')).toEqual(['decline']);
  });
});

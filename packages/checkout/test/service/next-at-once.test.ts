import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyMethodService } from '../support/any-method-service.ts';
import { errorOf, merchantActs, payByCard } from '../support/merchant-acts.ts';

/** Payments at the same moment. */
const PAYMENTS = 10;

let service: Awaited<ReturnType<typeof anyMethodService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  service = await anyMethodService();
  merchant = merchantActs(service.url);
});
beforeEach(() => {
  service.shop.state.beforeAnswer = () => true;
});
afterAll(() => service.stop());

const each = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: PAYMENTS }, work));

/** The answers to a merchant who wants the rest of a hold of which 4.00 is captured, then more than that back, and then all of it. */
async function askedOfCaptured(id: string): Promise<string[]> {
  const [rest, more] = [await merchant.capture(id, '6.00'), await merchant.refund(id, '4.01')];
  const all = await merchant.refund(id, '4.00');
  return [errorOf(rest).slice(0, 6), errorOf(more).slice(0, 6), String(all.status)];
}

const RIGHT = ['208003', '208006', '200'];

describe('a merchant who sends the next command at once is answered by how the payment stands', () => {
  test('while the callback is not even answered: of a hold, and of its capture', async () => {
    const answers: Promise<readonly [what: string, answer: unknown]>[] = [];
    service.shop.state.beforeAnswer = async ({ fields: { id = '', type, order_status } }) => {
      const captures = type === 'sale' && order_status === 'pending';
      const asks = type === 'capture' && order_status === 'settled';
      if (captures) answers.push(merchant.capture(id, '4.00').then(({ status }) => ['hold', status]));
      if (asks) answers.push(askedOfCaptured(id).then((said) => ['capture', said]));
      await Promise.all(answers);
      return true;
    };
    await each(() => payByCard(service.url, { auth: true }));
    await expect.poll(() => answers.length, { interval: 20, timeout: 60_000 }).toBe(2 * PAYMENTS);
    for (const [what, answer] of await Promise.all(answers)) expect(answer).toEqual(what === 'hold' ? 200 : RIGHT);
  });

  test('once the status says that it is settled', async () => {
    const said = await each(async () => {
      const number = await payByCard(service.url, { auth: true });
      const { fields } = await service.shop.until(({ fields: told }) => told.order_number === number);
      const id = fields.id ?? '';
      const captured = merchant.capture(id, '4.00');
      while ((await merchant.status(id)) !== 'settled');
      return [...(await askedOfCaptured(id)), String((await captured).status)];
    });
    expect(said).toEqual(Array.from({ length: PAYMENTS }, () => [...RIGHT, '200']));
  });
});

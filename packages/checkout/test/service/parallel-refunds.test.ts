import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyMethodService } from '../support/any-method-service.ts';
import { merchantActs, payByCard } from '../support/merchant-acts.ts';

const AT_ONCE = 240;

let service: Awaited<ReturnType<typeof anyMethodService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  service = await anyMethodService();
  merchant = merchantActs(service.url);
});

afterAll(() => service.stop());

const refundsTold = () => service.shop.received.filter(({ fields }) => fields.type === 'refund').length;

describe('240 refunds of one payment at once', () => {
  test('are each accepted or refused by the sum, never failed, and give back no more than was paid', async () => {
    const number = await payByCard(service.url);
    const { fields } = await service.shop.until((each) => each.fields.order_number === number);
    const id = fields.id ?? '';
    const { acts } = service.provider;
    // Of 10.00 there are 200 parts of 0.05: forty requests ask for more than is left.
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => merchant.refund(id, '0.05')));
    const count = (status: number) => answers.filter((each) => each.status === status).length;
    expect({ failed: answers.filter(({ status }) => status >= 500).length, accepted: count(200) }).toEqual({
      failed: 0,
      accepted: 200,
    });
    expect(count(400)).toBe(40);
    // What is accepted is asked of the provider soon, and a transaction that met another is repeated first.
    await service.shop.until(() => refundsTold() === 200);
    const given = acts.ledger.filter(({ kind }) => kind === 'refund');
    expect(given).toHaveLength(200);
    expect(new Set(given.map((act) => act.id)).size).toBe(200);
    expect(service.lines.filter((line) => line.includes('"modification-unclear"'))).toEqual([]);
  });
});

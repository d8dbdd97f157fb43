import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyMethodService, errorLines } from '../support/any-method-service.ts';
import { errorOf, merchantActs, payByCard } from '../support/merchant-acts.ts';

let at = Date.now();
let service: Awaited<ReturnType<typeof anyMethodService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  service = await anyMethodService(undefined, { clock: () => at });
  merchant = merchantActs(service.url);
});

afterAll(() => service.stop());

beforeEach(() => {
  const { acts } = service.provider;
  acts.state.behaves = () => 'done';
  acts.state.gate = Promise.resolve();
  acts.state.beforeReply = () => true;
  acts.sent.length = 0;
  acts.ledger.length = 0;
});

type Fields = Readonly<Record<string, string>>;

/** The three words of a callback, as the merchant reads them. */
const wordsOf = ({ type, status, order_status }: Fields) => `${type} ${status} ${order_status}`;
const told = (id: string) =>
  service.shop.received.filter(({ fields }) => fields.id === id).map(({ fields }) => wordsOf(fields));
const until = (id: string, words: string) =>
  service.shop.until(({ fields }) => fields.id === id && wordsOf(fields) === words);

/** A payment by card. @returns its id, and the provider's */
async function paid(change: Readonly<Record<string, unknown>> = {}) {
  const number = await payByCard(service.url, change);
  const { fields } = await service.shop.until((each) => each.fields.order_number === number);
  return { id: fields.id ?? '', tx: `tx-${service.provider.asked.at(-1)?.reference ?? ''}` };
}
const held = () => paid({ auth: true });
const accepted = (payment_id: string) => ({ status: 200, json: { payment_id, result: 'accepted' } });
const amounts = (list: readonly { readonly amount: string | null }[]) => list.map(({ amount }) => amount);

describe('a capture', () => {
  test('of the whole hold settles the payment, and is reported', async () => {
    const { id } = await held();
    expect(await merchant.status(id)).toBe('pending');
    expect(await merchant.capture(id, '10.00')).toEqual(accepted(id));
    await until(id, 'capture success settled');
    expect(await merchant.status(id)).toBe('settled');
    expect(told(id)).toEqual(['sale success pending', 'capture success settled']);
  });

  test('of a part is the only one, and what was captured can be refunded and no more', async () => {
    const { id } = await held();
    expect(await merchant.capture(id, '4.00')).toEqual(accepted(id));
    await until(id, 'capture success settled');
    expect(errorOf(await merchant.capture(id, '6.00'))).toMatch(/^208003 Not acceptable to request the capture/);
    expect(errorOf(await merchant.refund(id, '4.01'))).toMatch(/^208006 /);
    await merchant.refund(id, '4.00');
    await until(id, 'refund success refund');
    expect(amounts(service.provider.acts.ledger)).toEqual(['4.00', '4.00']);
  });

  test('of more than the hold is refused', async () => {
    const { id } = await held();
    expect(errorOf(await merchant.capture(id, '10.01'))).toMatch(/^208004 .* bigger than auth amount\.$/);
    expect(service.provider.acts.sent).toEqual([]);
  });

  test('that the provider refuses leaves the hold, and another one may follow', async () => {
    const { id } = await held();
    service.provider.acts.state.behaves = () => 'refused';
    expect(await merchant.capture(id, '10.00')).toEqual(accepted(id));
    const failed = await until(id, 'capture fail pending');
    expect(failed.fields.reason).toBe('The provider refused.');
    expect(await merchant.status(id)).toBe('pending');
    service.provider.acts.state.behaves = () => 'done';
    await merchant.capture(id, '10.00');
    await until(id, 'capture success settled');
  });

  test('asked for 32 times at once reaches the provider once', async () => {
    const { id } = await held();
    const answers = await Promise.all(Array.from({ length: 32 }, () => merchant.capture(id, '10.00')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = new Set(answers.filter(({ status }) => status !== 200).map(errorOf));
    for (const each of refused) expect(each).toMatch(/^100000 Previous payment not completed\.$|^208003 /);
    await until(id, 'capture success settled');
    expect(service.provider.acts.sent).toHaveLength(1);
  });

  test('whose reply is lost is sent again under the same id, and takes place once', async () => {
    const { id } = await held();
    const behaviours = ['lost-after', 'done'] as const;
    service.provider.acts.state.behaves = () => behaviours[service.provider.acts.sent.length - 1] ?? 'done';
    await merchant.capture(id, '10.00');
    await until(id, 'capture undefined prepare');
    at += 10_000;
    await until(id, 'capture success settled');
    const { sent, ledger } = service.provider.acts;
    expect(new Set(sent.map((act) => act.id)).size).toBe(1);
    expect(ledger).toHaveLength(1);
  });

  test('that news say took place is not sent again', async () => {
    const [told, other] = [await held(), await held()];
    service.provider.acts.state.behaves = () => 'lost-before';
    for (const { id } of [told, other]) {
      await merchant.capture(id, '10.00');
      await until(id, 'capture undefined prepare');
    }
    const settled = { event: randomUUID(), kind: 'settled', payment: told.tx, amount: '10.00' };
    expect(await merchant.notify(settled)).toBe(200);
    await until(told.id, 'capture success settled');
    service.provider.acts.state.behaves = () => 'done';
    at += 10_000;
    // Due at the same moment, and sent again.
    await until(other.id, 'capture success settled');
    expect(service.provider.acts.sent.filter(({ payment }) => payment === told.tx)).toHaveLength(1);
  });

  test('is known by a notification that the hold was settled, before the provider answers', async () => {
    const { id, tx } = await held();
    service.provider.acts.state.behaves = () => 'pending';
    await merchant.capture(id, '4.00');
    expect(await merchant.notify({ event: randomUUID(), kind: 'settled', payment: tx, amount: '4.00' })).toBe(200);
    await until(id, 'capture success settled');
  });
});

describe('the amount of a modification', () => {
  const withType = (id: string, type: string) =>
    service.shop.received.flatMap(({ fields }) => (fields.id === id && fields.type === type ? [fields] : []));

  test('is in the callbacks of each refund and in the status, also of one that fails and of one made at the provider', async () => {
    const { id, tx } = await paid();
    expect(await merchant.status(id, 'refunded_amount')).toBeUndefined();
    await merchant.refund(id, '4.00');
    await until(id, 'refund success settled');
    service.provider.acts.state.behaves = () => 'refused';
    await merchant.refund(id, '1.50');
    await until(id, 'refund fail decline');
    await merchant.notify({ event: randomUUID(), kind: 'refund', payment: tx, amount: '6.00', id: randomUUID() });
    await until(id, 'refund success refund');
    expect(withType(id, 'refund').map((each) => each['refund_amount'])).toEqual(['4.00', '1.50', '6.00']);
    expect(withType(id, 'sale').map((each) => each['refund_amount'])).toEqual([undefined]);
    expect(await merchant.status(id, 'refunded_amount')).toBe('10.00');
  });

  test('is in the callback of a capture and in the status, also where the provider captured by itself', async () => {
    const [first, second] = [await held(), await held()];
    await merchant.capture(first.id, '4.00');
    await until(first.id, 'capture success settled');
    service.provider.acts.state.behaves = () => 'pending';
    await merchant.capture(second.id, '3.00');
    await merchant.notify({ event: randomUUID(), kind: 'settled', payment: second.tx, amount: '3.00' });
    await until(second.id, 'capture success settled');
    const captured = [first, second].map(({ id }) => withType(id, 'capture').at(-1)?.['capture_amount']);
    expect(captured).toEqual(['4.00', '3.00']);
    expect(await merchant.status(first.id, 'captured_amount')).toBe('4.00');
  });
});

describe('a refund', () => {
  test('in parts leaves the payment settled until all is given back', async () => {
    const { id } = await paid();
    await merchant.refund(id, '4.00');
    await until(id, 'refund success settled');
    expect(await merchant.status(id)).toBe('settled');
    await merchant.refund(id, '6.00');
    await until(id, 'refund success refund');
    expect(await merchant.status(id)).toBe('refund');
    expect(errorOf(await merchant.refund(id, '0.01'))).toMatch(/^208005 /);
  });

  test('beside another one cannot take more than there is', async () => {
    const { id } = await paid();
    let open = () => {};
    service.provider.acts.state.gate = new Promise((resolve) => {
      open = resolve;
    });
    const before = service.provider.acts.state.arrived;
    const first = merchant.refund(id, '6.00');
    await expect.poll(() => service.provider.acts.state.arrived).toBe(before + 1);
    expect(errorOf(await merchant.refund(id, '6.00'))).toMatch(/^208006 /);
    const rest = merchant.refund(id, '4.00');
    open();
    expect(await Promise.all([first, rest])).toEqual([accepted(id), accepted(id)]);
    await until(id, 'refund success refund');
    expect(amounts(service.provider.acts.ledger).toSorted()).toEqual(['4.00', '6.00']);
  });

  test('of 0.50, forty times at once, goes through twenty times', async () => {
    const { id } = await paid();
    const answers = await Promise.all(Array.from({ length: 40 }, () => merchant.refund(id, '0.50')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    await until(id, 'refund success refund');
    expect(service.provider.acts.ledger).toHaveLength(20);
  });

  test('that is refused changes nothing and frees its amount', async () => {
    const { id } = await paid();
    service.provider.acts.state.behaves = () => 'refused';
    await merchant.refund(id, '10.00');
    await until(id, 'refund fail decline');
    expect(await merchant.status(id)).toBe('settled');
    service.provider.acts.state.behaves = () => 'done';
    await merchant.refund(id, '10.00');
    await until(id, 'refund success refund');
  });

  test.each([
    ['took place', 'lost-after', 'refund success settled', 1],
    ['never came', 'lost-before', undefined, 0],
  ] as const)('without a reply is looked up and never sent again: it %s', async (_what, behaviour, words, times) => {
    const { id } = await paid();
    service.provider.acts.state.behaves = () => behaviour;
    await merchant.refund(id, '4.00');
    await until(id, 'refund undefined prepare');
    expect(await merchant.status(id)).toBe('settled');
    // What nobody knows of stays reserved.
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    const { looked } = service.provider.acts.state;
    at += 3_600_000;
    await expect.poll(() => service.provider.acts.state.looked).toBeGreaterThan(looked);
    if (words !== undefined) await until(id, words);
    expect(service.provider.acts.sent).toHaveLength(1);
    expect(service.provider.acts.ledger).toHaveLength(times);
  });

  test('with an unknown result is not taken for an equal one that is reported before it is answered', async () => {
    const { id, tx } = await paid();
    const { acts } = service.provider;
    acts.state.behaves = () => 'lost-before';
    await merchant.refund(id, '4.00');
    await until(id, 'refund undefined prepare');
    acts.state.behaves = () => 'done';
    acts.state.beforeReply = async (act) => {
      await merchant.notify({ event: randomUUID(), kind: 'refund', payment: tx, amount: '4.00', id: `act-${act.id}` });
      return true;
    };
    await merchant.refund(id, '4.00');
    await until(id, 'refund success settled');
    const { looked } = acts.state;
    at += 3_600_000;
    await expect.poll(() => acts.state.looked).toBeGreaterThan(looked);
    expect(told(id).filter((each) => each === 'refund success settled')).toHaveLength(1);
    expect(acts.ledger).toHaveLength(1);
    expect(errorOf(await merchant.refund(id, '2.01'))).toMatch(/^208006 /);
  });

  test('made at the provider and kept back beside one of ours is told once, also where the payer disputes meanwhile', async () => {
    const { id, tx } = await paid();
    const { acts } = service.provider;
    let open = () => {};
    acts.state.gate = new Promise((resolve) => {
      open = resolve;
    });
    acts.state.behaves = () => 'refused';
    const before = acts.state.arrived;
    const ours = merchant.refund(id, '4.00');
    await expect.poll(() => acts.state.arrived).toBe(before + 1);
    const theirs = { event: randomUUID(), kind: 'refund', payment: tx, amount: '4.00', id: randomUUID() };
    expect(await merchant.notify(theirs)).toBe(200);
    expect(await merchant.notify({ event: randomUUID(), kind: 'chargeback', payment: tx, amount: '10.00' })).toBe(200);
    await until(id, 'chargeback success chargeback');
    open();
    expect(await ours).toEqual(accepted(id));
    await until(id, 'refund fail decline');
    at += 5000;
    await until(id, 'refund success chargeback');
    expect(await merchant.notify({ ...theirs, event: randomUUID() })).toBe(200);
    at += 60_000;
    expect(await merchant.status(id, 'refunded_amount')).toBe('4.00');
    expect(told(id).filter((words) => words === 'refund success chargeback')).toHaveLength(1);
  });

  test('that the provider only accepted is asked about until it is final', async () => {
    const { id } = await paid();
    service.provider.acts.state.behaves = () => 'pending';
    await merchant.refund(id, '10.00');
    const [act] = service.provider.acts.sent;
    expect(await merchant.status(id)).toBe('settled');
    service.provider.acts.settle(act?.id ?? '', 'done');
    at += 3_600_000;
    await until(id, 'refund success refund');
  });

  test('of ours that is reported as well has one effect; one made at the provider counts', async () => {
    const { id, tx } = await paid();
    await merchant.refund(id, '4.00');
    await until(id, 'refund success settled');
    const [act] = service.provider.acts.sent;
    const ours = { kind: 'refund', payment: tx, amount: '4.00', id: `act-${act?.id ?? ''}` };
    expect(await merchant.notify({ event: randomUUID(), ...ours })).toBe(200);
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    await merchant.notify({ event: randomUUID(), kind: 'refund', payment: tx, amount: '6.00', id: 'made-there' });
    await until(id, 'refund success refund');
    expect(told(id).filter((each) => each.startsWith('refund'))).toEqual([
      'refund success settled',
      'refund success refund',
    ]);
  });
});

describe('a void', () => {
  test('takes settled money back and answers at once', async () => {
    const { id } = await paid();
    expect(await merchant.void(id)).toMatchObject({
      status: 200,
      json: { status: 'SUCCESS', payment_status: 'void', payment_id: id, order: { amount: '10.00', currency: 'BRL' } },
    });
    await until(id, 'void success void');
    expect(await merchant.status(id)).toBe('void');
    expect(errorOf(await merchant.void(id))).toBe('100000 Void is not allowed.');
  });

  test('of a hold that was not captured is refused, and it is still pending', async () => {
    const { id } = await held();
    const answer = await merchant.void(id);
    expect(answer).toMatchObject({ status: 400, json: { http_code: 400, error_message: 'Void is not allowed.' } });
    expect(await merchant.status(id)).toBe('pending');
    expect(service.provider.acts.sent).toEqual([]);
  });

  test('that the provider refuses leaves the payment settled', async () => {
    const { id } = await paid();
    service.provider.acts.state.behaves = () => 'refused';
    expect(await merchant.void(id)).toMatchObject({
      json: { status: 'FAIL', payment_status: 'settled', reason: 'The provider refused.' },
    });
    await until(id, 'void fail settled');
  });

  test('after a refund is refused', async () => {
    const { id } = await paid();
    await merchant.refund(id, '1.00');
    expect(errorOf(await merchant.void(id))).toBe('100000 Void is not allowed.');
  });
});

describe('news of the bank', () => {
  test.each([
    ['chargeback', 'chargeback success chargeback'],
    ['reversal', 'reversal success reversal'],
  ])('a %s changes a settled payment, once', async (kind, words) => {
    const { id, tx } = await paid();
    const event = { event: randomUUID(), kind, payment: tx, amount: '10.00' };
    await Promise.all([1, 2, 3].map(() => merchant.notify(event)));
    await until(id, words);
    expect(await merchant.status(id)).toBe(kind);
    expect(told(id)).toEqual(['sale success settled', words]);
    expect(errorOf(await merchant.refund(id, '1.00'))).toMatch(/^208005 /);
  });

  test('a reversal lets go of a hold', async () => {
    const { id, tx } = await held();
    await merchant.notify({ event: randomUUID(), kind: 'reversal', payment: tx, amount: '10.00' });
    await until(id, 'reversal success reversal');
  });

  test('of more than was received change nothing, and an operator is notified', async () => {
    const { id, tx } = await paid();
    await merchant.notify({ event: randomUUID(), kind: 'chargeback', payment: tx, amount: '10.01' });
    expect(await merchant.status(id)).toBe('settled');
    expect(service.lines.some((line) => line.includes('quarantined') && line.includes(id))).toBe(true);
  });
});

describe('a request', () => {
  test.each(['', '0', '0.00', '-1', '1,00', '01', 'x', '1.'])('for the amount %j is refused', async (amount) => {
    const { id } = await paid();
    const answer = await merchant.refund(id, amount);
    expect(answer.status).toBe(400);
    expect(errorLines(answer.json)).toHaveLength(1);
    expect(errorLines(answer.json)[0]).toMatch(/^amount: This value (should|is not)/);
  });

  test('for more decimals than the currency has is refused', async () => {
    const { id } = await paid();
    expect(errorLines((await merchant.refund(id, '1.001')).json)).toEqual([
      'amount: This value should have 2 decimals or less.',
    ]);
  });

  test('for a payment that is not there is refused', async () => {
    for (const id of [randomUUID(), 'x'])
      for (const answer of [
        await merchant.capture(id, '1.00'),
        await merchant.refund(id, '1.00'),
        await merchant.void(id),
      ])
        expect(errorOf(answer)).toBe('101000 Payment does not exist.');
  });

  test('for the refund of a payout is refused', async () => {
    const number = await payByCard(service.url, { operation: 'credit', payee: { name: 'Jane Doe' } });
    const { fields } = await service.shop.until((each) => each.fields.order_number === number);
    expect(errorOf(await merchant.refund(fields.id ?? '', '1.00'))).toMatch(/^208005 /);
    expect(service.provider.acts.sent).toEqual([]);
  });
});

import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, merchant, post, pressPay, sessionBody, startService } from '../support/service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  provider = await pixProvider();
  shop = await receiver();
  service = await startService(provider, `${shop.url}/callbacks`);
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

/** A session whose payer has pressed Pay: its page, its order and the provider's charge. */
async function started() {
  const body = sessionBody();
  const page = await createPage(service.url, body);
  expect((await pressPay(page)).status).toBe(303);
  const charge = provider.ledger.at(-1);
  if (charge === undefined) throw new Error('The provider was not called.');
  return { page, number: body.order.number, charge };
}

async function statusOf(paymentId: string): Promise<unknown> {
  const hash = signRequest('status_by_payment', { payment_id: paymentId }, merchant.password);
  return (
    await post(`${service.url}/api/v1/payment/status`, { merchant_key: merchant.key, payment_id: paymentId, hash })
  ).json;
}

const callbackOf = (number: string, status: string) =>
  shop.until(({ fields }) => fields.order_number === number && fields.status === status);

describe('a Pix payment', () => {
  test('goes from the session to the callback', async () => {
    const { page, number, charge } = await started();
    const shown = await (await fetch(page)).text();
    expect(shown).toContain(charge.code);
    expect(await callbackOf(number, 'waiting')).toMatchObject({
      signed: true,
      fields: { type: 'sale', order_status: 'pending' },
    });

    charge.status = 'PAID';
    expect(await provider.notify(service.notifyUrl, charge)).toBe(204);

    const callback = await callbackOf(number, 'success');
    expect(callback).toMatchObject({
      signed: true,
      fields: {
        type: 'sale',
        order_status: 'settled',
        order_amount: '10.00',
        order_currency: 'BRL',
        order_description: 'Important gift',
        customer_ip: '127.0.0.1',
      },
    });
    const id = callback.fields.id ?? '';
    const signed = { payment_id: id, number, amount: '10.00', currency: 'BRL', description: 'Important gift' };
    expect(callback.fields.hash).toBe(signRequest('callback', signed, merchant.password));
    expect(await statusOf(id)).toMatchObject({
      payment_id: id,
      status: 'settled',
      order: { number, amount: '10.00', currency: 'BRL' },
    });
    const done = await (await fetch(page)).text();
    const back = new URL((/https:\/\/shop\.example\/success[^"'<]*/.exec(done)?.[0] ?? '').replaceAll('&amp;', '&'));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      a: '1',
      payment_id: id,
      order_id: number,
      hash: signRequest('return', signed, merchant.password),
    });
    expect(provider.ledger.filter((entry) => entry.external_id === charge.external_id)).toHaveLength(1);
  });

  test('is settled once by a notification that comes 50 times', async () => {
    const { number, charge } = await started();
    charge.status = 'PAID';
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => provider.notify(service.notifyUrl, charge, { eventId: `evt-${number}` })),
    );
    expect(new Set(answers)).toEqual(new Set([204]));
    await callbackOf(number, 'success');
    expect(
      shop.received.filter(({ fields }) => fields.order_number === number && fields.status === 'success'),
    ).toHaveLength(1);
  });

  test('is not moved by a forged or stale notification', async () => {
    const { page, charge } = await started();
    charge.status = 'PAID';
    expect(await provider.notify(service.notifyUrl, charge, { secret: 'somebody-else' })).toBe(401);
    expect(await provider.notify(service.notifyUrl, charge, { at: Date.now() - 3_600_000 })).toBe(401);
    expect(await (await fetch(page)).text()).toContain(charge.code);
  });

  test('is set aside when the provider reports another amount', async () => {
    const { page, charge } = await started();
    charge.status = 'PAID';
    expect(await provider.notify(service.notifyUrl, charge, { amount: '15.00' })).toBe(204);
    // Money came: the payer is not shown the code to pay it again.
    expect(await (await fetch(page)).text()).not.toContain(charge.code);
    expect(service.lines.some((line) => line.includes('quarantined'))).toBe(true);
  });

  test('begins once, however often Pay is pressed', async () => {
    const page = await createPage(service.url, sessionBody());
    const before = provider.ledger.length;
    await Promise.all(Array.from({ length: 20 }, () => pressPay(page)));
    expect(provider.ledger).toHaveLength(before + 1);
  });

  test('that the provider declines is reported to the merchant with its reason, and shown to the payer in their language', async () => {
    const { page, number, charge } = await started();
    charge.status = 'REJECTED';
    await provider.notify(service.notifyUrl, charge);
    expect((await callbackOf(number, 'fail')).fields).toMatchObject({
      order_status: 'decline',
      reason: 'The provider rejected the payment.',
    });
    const shown = await (await fetch(page, { headers: { 'accept-language': 'pt-BR' } })).text();
    expect(shown).toContain('O provedor de pagamento recusou o pagamento.');
  });

  test('whose notification overtakes the answer to the creating call is settled', async () => {
    const body = sessionBody();
    const page = await createPage(service.url, body);
    provider.beforeReply = (entry) => {
      entry.status = 'PAID';
      void provider.notify(service.notifyUrl, entry);
      return true;
    };
    await pressPay(page);
    provider.beforeReply = () => true;
    expect((await callbackOf(body.order.number, 'success')).fields.order_status).toBe('settled');
  });
});

test('an unknown page, a page of another token and an unknown address answer 404', async () => {
  for (const path of ['/auth/none', '/auth/none/status', '/nothing'])
    expect((await fetch(service.url + path)).status).toBe(404);
});

test('health answers', async () => {
  expect(await (await fetch(`${service.url}/health`)).json()).toEqual({ status: 'ok' });
});

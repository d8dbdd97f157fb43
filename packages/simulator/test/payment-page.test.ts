import { payerIdConnector } from '@railyard/connector-pix';
import { payerIdSimulation } from '@railyard/connector-pix/simulation';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createSimulator, manualTime } from '../src/index.ts';

const BACK = 'https://pay.example/back?id=1&turn=2';
const settings = {
  base_url: 'http://127.0.0.1:1',
  client_id: 'any',
  client_secret: 'any',
  notification_token: 'a-token-of-a-length',
};

/** A payment on the provider's page, with the address that its reply gave. */
async function sent({ returnUrl = BACK, description = 'Hand grinder' } = {}) {
  const time = manualTime(Date.parse('2026-11-21T12:00:00Z'));
  const simulator = await createSimulator({
    connectors: [{ connector: payerIdConnector, simulation: payerIdSimulation, settings }],
    scenario: 'manual',
    clock: time.clock,
    scheduler: time.scheduler,
  });
  onTestFinished(() => simulator.close());
  const create = async (reference: string) => {
    const reply = await fetch(`${simulator.baseUrl('pix-payer-id')}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        reference,
        amount: 14900,
        currency: 'BRL',
        description,
        presentation: 'page',
        ...(returnUrl !== '' && { return_url: returnUrl }),
      }),
    });
    return z.object({ id: z.string(), payment_url: z.string() }).parse(await reply.json());
  };
  const { id, payment_url } = await create('ref-1');
  const press = async (action: string) => {
    const body = new URLSearchParams({ id, page: 'payment' });
    const reply = await fetch(simulator.url + action, { method: 'POST', body });
    return reply.text();
  };
  return { simulator, create, id, url: payment_url, press, shown: async () => (await fetch(payment_url)).text() };
}

describe('the page to which a provider sends the payer', () => {
  it('is that of exactly this payment: amount, description, Pay and Decline', async () => {
    const { simulator, create, id, url, shown } = await sent();
    const other = await create('ref-2');
    expect(url).toBe(`${simulator.url}/?payment=${id}`);
    const html = await shown();
    expect(html).toContain('149.00 BRL');
    expect(html).toContain('Hand grinder');
    expect(html).toMatch(/class="primary">Pay<.*class="secondary">Decline</s);
    expect(html).not.toContain(other.id);
    expect(html).not.toMatch(/<script|http-equiv/);
  });

  it.for([
    { action: '/pay', state: 'settled', says: 'Paid' },
    { action: '/decline', state: 'declined', says: 'Declined' },
  ])('leads back to the address of the creating request after $action', async ({ action, state, says }) => {
    const { simulator, press } = await sent();
    const html = await press(action);
    expect(simulator.payments()[0]?.state).toBe(state);
    expect(html).toContain(`${says}. <a href="https://pay.example/back?id=1&amp;turn=2">`);
    expect(html).toContain('http-equiv="refresh" content="0; url=https://pay.example/back?id=1&amp;turn=2"');
  });

  it('pays nothing twice, and still leads back', async () => {
    const { simulator, press } = await sent();
    await press('/pay');
    expect(await press('/pay')).toContain('pay.example/back');
    expect(simulator.ledger().map(({ effect }) => effect)).toEqual(['charge', 'settled']);
  });

  it.for(['', 'javascript:alert(1)', 'no address'])(
    'says that it can be closed where the way back is "%s"',
    async (returnUrl) => {
      const { press } = await sent({ returnUrl });
      const html = await press('/pay');
      expect(html).toContain('Paid. You can close this page.');
      expect(html).not.toMatch(/javascript:|http-equiv/);
    },
  );

  it('shows a hostile description as text', async () => {
    const { shown } = await sent({ description: '<b>x</b>' });
    expect(await shown()).toContain('&lt;b&gt;x&lt;/b&gt;');
  });

  it('answers 404 for a payment that is not there', async () => {
    const { simulator } = await sent();
    const reply = await fetch(`${simulator.url}/?payment=none`);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain('There is no such payment');
  });
});

describe('the list of payments', () => {
  it('shows what is paid for and when, in short', async () => {
    const { simulator } = await sent();
    const html = await (await fetch(simulator.url)).text();
    expect(html).toContain('Hand grinder');
    expect(html).toContain('>2026-11-21 12:00 UTC<');
  });

  it('keeps to the last ten that are done', async () => {
    const { simulator, create } = await sent();
    for (let count = 0; count < 11; count += 1) simulator.settle((await create(`done-${count}`)).id);
    const html = await (await fetch(simulator.url)).text();
    expect(html.match(/class="state settled"/g)).toHaveLength(10);
    expect(html).not.toContain('done-0<');
    expect(html).toContain('done-10<');
  });
});

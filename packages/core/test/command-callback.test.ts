import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verifyCallback, verifyCommandCallback } from '../src/merchant/index.ts';

const secret = `whsec_${Buffer.from('a key of thirty-two bytes, yours').toString('base64')}`;
const now = Date.parse('2026-11-21T12:00:00Z');
const ofCommand = {
  action: 'CREDIT2VIRTUAL',
  result: 'SUCCESS',
  status: 'SETTLED',
  order_id: 'payout-1',
  trans_id: 'dc66cdd8-d702-11ea-9a2f-0242c0a87002',
  amount: '100.99',
  currency: 'KES',
  hash: '49558c1e27a71eb2c06e96857968215f',
};
const ofSession = {
  id: 'dc66cdd8-d702-11ea-9a2f-0242c0a87002',
  order_number: 'order-1234',
  order_amount: '100.99',
  order_currency: 'USD',
  order_description: 'Tea',
  order_status: 'settled',
  type: 'credit',
  status: 'success',
  hash: '619d98ced5f178a6b203b4bc1aa5e5a447247308',
};

/** Signed by the official library. */
function received(fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(fields).toString();
  const signature = new Webhook(secret).sign('msg_1', new Date(now), body);
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now / 1000), 'webhook-signature': signature };
  return { body, headers, secret, now };
}

it('the callback of a command is read, with what its merchant has switched on', () => {
  const fields = { ...ofCommand, 'custom_data[a]': 'b' };
  expect(verifyCommandCallback(received(fields))).toEqual({
    ok: true,
    callback: {
      webhookId: 'msg_1',
      signedAt: now,
      version: undefined,
      fields: expect.objectContaining({ ...ofCommand, custom_data: { a: 'b' } }),
    },
  });
});

it('that is changed, or is the callback of a session, is none of a command, and the other way round', () => {
  const { body, ...rest } = received(ofCommand);
  const changed = { ...rest, body: body.replace('100.99', '1.00') };
  expect(verifyCommandCallback(changed)).toEqual({ ok: false, reason: 'wrong-signature' });
  expect(verifyCommandCallback(received(ofSession))).toEqual({ ok: false, reason: 'unreadable' });
  expect(verifyCallback(received(ofCommand))).toEqual({ ok: false, reason: 'unreadable' });
  expect(verifyCallback(received(ofSession)).ok).toBe(true);
});

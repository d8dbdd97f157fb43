import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cardDigits, requestSignature, returnState, signCallbackFields, signCommand } from '@railyard/core/merchant';
import { expect, test } from 'vitest';
import { blocksOf } from '../../../../test/docs/blocks.ts';
import { php, requireTool } from '../../../../test/support/tool.ts';

const secret = `whsec_${btoa('a secret of thirty-two characters')}`;

/** A program of a document, without its first line. */
function phpOf(document: string, has: string): string {
  const text = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), 'utf8');
  const found = blocksOf({ path: document, text }).find(
    ({ language, text: code }) => language === 'php' && code.includes(has),
  );
  return (found?.text ?? '').replace('<?php', '');
}

test('the PHP program signs a request as the service checks it', (ctx) => {
  const body = '{"a":"é"}';
  const code = `${phpOf('server-to-server.md', 'function signed_headers')}
    echo json_encode(signed_headers('shop', $argv[1], '/api/v1/session', $argv[2]));`;
  const said: string[] = JSON.parse(
    execFileSync(requireTool(ctx, php), ['-r', code, '--', secret, body], { encoding: 'utf8' }),
  );
  const headers = Object.fromEntries(said.map((line) => line.split(': ')));
  const { 'request-id': id = '', 'request-timestamp': timestamp = '' } = headers;
  const bytes = new TextEncoder().encode(body);
  const signed = { id, timestamp, method: 'POST', path: '/api/v1/session', body: bytes };
  expect(headers['request-key']).toBe('shop');
  expect(headers['request-signature']).toBe(requestSignature(secret, signed));
});

test('the PHP program makes the hash of every command and callback as the service checks it', (ctx) => {
  const password = 'Demo-Merchant-Pass-01';
  const email = 'doé@example.com';
  const number = '4111111111111111';
  const token = 'f5d6a0ab6fcfb6487a39e2256e50fff3c95aaa97075ee5e539bb662fceff4dc1';
  const trans_id = 'aaaff66a-904f-11ea-833e-0242ac1f0007';
  const order = { order_id: 'ORDER-12345', order_amount: '1.99', order_currency: 'USD' };
  const callback = { action: 'SALE', trans_id, status: 'SETTLED', custom_data2: 'x', custom_data: { b: 'ü', a: '1' } };
  const code = `${phpOf('server-to-server.md', 'function card_hash')}
    [$p, $email, $number, $token, $t, $o, $callback] = json_decode($argv[1], true);
    $order = array_values($o);
    echo json_encode([card_hash($p, $email, $number), card_hash($p, '', $token), card_hash($p, $email, ''),
      card_hash($p, $email, $number, $t), card_hash($p, $email, $number, $o['order_id']), sale_hash($p, 'NA', ...$order),
      sale_hash($p, $t), reversed_hash($p, $t), reversed_hash($p, ...$order), reversed_hash($p, $t, $o['order_id'], 'SETTLED'),
      callback_hash($p, $callback)]);`;
  const given = JSON.stringify([password, email, number, token, trans_id, order, { ...callback, hash: 'x' }]);
  const args = ['-r', code, '--', given];
  const said: unknown = JSON.parse(execFileSync(requireTool(ctx, php), args, { encoding: 'utf8' }));
  const card = cardDigits(number);
  expect(said).toEqual([
    signCommand('card', { payer_email: email, card }, password),
    signCommand('card', { payer_email: '', card: token }, password),
    signCommand('card', { payer_email: email, card: '' }, password),
    signCommand('card_transaction', { payer_email: email, trans_id, card }, password),
    signCommand('card_order', { payer_email: email, order_id: order.order_id, card }, password),
    signCommand('collection', { identifier: 'NA', ...order }, password),
    signCommand('credit_void', { trans_id }, password),
    signCommand('transaction', { trans_id }, password),
    signCommand('payout', order, password),
    signCommand('payout_callback', { trans_id, order_id: order.order_id, status: 'SETTLED' }, password),
    signCallbackFields(callback, password),
  ]);
});

test('the PHP program reads the status of a return, and of none that was altered', (ctx) => {
  const ids = { payment_id: 'p-1', trans_id: 't-1', order_id: 'order-1' };
  const state = returnState(secret, { merchant_key: 'm', ...ids, status: 'settled', expires: 1000 });
  const code = `${phpOf('callbacks.md', 'function return_status')}
    $query = json_decode($argv[2], true);
    echo json_encode([return_status($query, 'm', $argv[1], 1000), return_status($query, 'm', $argv[1], 1001),
      return_status($query, 'other', $argv[1], 1000), return_status(['order_id' => 'order-2'] + $query, 'm', $argv[1], 1000),
      return_status(['state' => str_replace('settled', 'decline', $query['state'])] + $query, 'm', $argv[1], 1000)]);`;
  const args = ['-r', code, '--', secret, JSON.stringify({ ...ids, state })];
  const said: unknown = JSON.parse(execFileSync(requireTool(ctx, php), args, { encoding: 'utf8' }));
  expect(said).toEqual(['settled', null, null, null, null]);
});

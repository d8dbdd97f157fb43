import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { requestSignature, returnState } from '@railyard/core/merchant';
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

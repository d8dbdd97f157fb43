import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../client/src/index.ts';
import { blocksOf } from '../../../../test/docs/blocks.ts';
import { php, requireTool } from '../../../../test/support/tool.ts';
import { cardService } from '../support/card-service.ts';
import { hostedFields } from '../support/hosted-fields.ts';
import { merchant } from '../support/service.ts';

const path = 'docs/hosted-fields.md';
const text = readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const program =
  blocksOf({ path, text })
    .find(({ language }) => language === 'php')
    ?.text.replace('<?php', '') ?? '';
const order = (number: string) => ({ number, amount: '10.00', currency: 'USD', description: 'Zwei Bücher' });
const RETURN = { return_url: 'https://shop.example/return' };

test('the PHP program of the page takes a payment, and so does the client', async (ctx) => {
  const service = await cardService();
  onTestFinished(() => service.stop());
  const run = async (code: string, ...args: unknown[]): Promise<string> => {
    const given = ['-r', `${program} $a = json_decode($argv[1], true); ${code}`, '--', JSON.stringify(args)];
    return (await promisify(execFile)(requireTool(ctx, php), given)).stdout;
  };
  const { enter } = hostedFields(service.url);
  const asked = [service.url, merchant.key, merchant.password, order('php-1'), RETURN];
  const token = await run('echo fields_token(...$a);', ...asked);
  await enter(token);
  const paid = await run('echo json_encode(pay_by_fields(...$a));', service.url, token, {
    name: 'Ada Example',
    browser_info: { language: 'de' },
  });
  expect(JSON.parse(paid)).toMatchObject({ result: 'success', return_url_query_params: { order_id: 'php-1' } });

  const client = createClient({ baseUrl: service.url, merchantKey: merchant.key, password: merchant.password });
  const made = await client.createToken({ operation: 'debit', order: order('client-1'), ...RETURN });
  expect(made.warnings).toEqual([]);
  const payment = { operation: 'debit', token: made.token, name: 'Ada Example' } as const;
  await expect(client.payByFields(payment)).rejects.toMatchObject({ kind: 'invalid' });
  await enter(made.token);
  const { public_id: payment_id, result } = await client.payByFields(payment);
  expect(result).toBe('success');
  expect(await client.status({ payment_id })).toMatchObject({ status: 'settled' });
  expect(service.provider.asked.map(({ kind, client: { language } }) => [kind, language])).toEqual([
    ['purchase', 'de'],
    ['debit', undefined],
  ]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium as engine } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, chromiumFlags, requireTool } from '../../../test/support/tool.ts';
import { fixture, runCli, startCli } from './support/run-cli.ts';

// Below the package, so that what is written here finds core and zod.
const folder = mkdtempSync(fixture('playground-'));
const file = join(folder, 'scanner.mjs');
const source = (label: string) => `
import { call, decimal, defineConnector, defineMethod, providerApi, field, fromDecimal, notificationsFor, secret, statusTable, timestampedHmac } from '@railyard/core';
import * as z from 'zod';
const scan = defineMethod({
  key: 'scan', title: 'Scan', currencies: ['EUR'],
  operations: { purchase: { parameters: z.strictObject({ note: field(z.string().max(5).optional(), { label: 'Note' }) }), completion: [] } },
});
const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'Key'), hook: secret(z.string(), 'Hook') });
const charge = z.object({ id: z.string(), state: z.string(), amount: z.string(), currency: z.string() });
const statuses = statusTable({ PAID: 'settled', OPEN: 'pending', NO: { declined: 'hard', code: 'declined_by_provider', reason: 'No.' } });
const read = ({ id, state, amount, currency }) => statuses.read({ word: state, reference: id, amount: fromDecimal(amount, currency) });
const create = providerApi(settings, { source: 'a test' }).endpoint({
  name: 'create', method: 'POST', path: '/charges', repeat: 'once',
  request: (json, { settings }) => ({ headers: { 'x-api-key': settings.api_key }, json }), reply: charge,
  examples: [{ body: { id: 'c1', state: 'OPEN', amount: '1.00', currency: 'EUR' }, source: 'manual' }],
});
export const scanner = defineConnector({
  id: 'scanner', contract: 1, version: '1.0.0', title: 'Scanner', settings, baseUrl: (each) => each.base_url, endpoints: [create], statuses,
  serves: (serve) => [serve(scan, {
    *purchase({ payment, urls }) {
      return read(yield* call(create, { ref: payment.reference, amount: decimal(payment.amount), currency: payment.amount.currency, ${label}: payment.parameters.note, hook: urls.notify }));
    },
  })],
  notifications: notificationsFor(settings)({
    verify: timestampedHmac((each) => each.hook), codec: 'json', body: z.object({ event: z.string(), charge }),
    events: ({ event, charge }) => [{ id: event, kind: 'payment', providerReference: charge.id, outcome: read(charge) }],
  }),
});
export const simulation = {
  words: { settled: 'PAID', pending: 'OPEN', declined: 'NO' },
  endpoints: { create: { effect: 'charge', request: { merchantReference: 'body.ref', amount: 'body.amount', currency: 'body.currency' }, reply: { id: 'id', status: 'state', amount: 'amount', currency: 'currency' } } },
  notification: {
    url: 'body.hook',
    headers: ({ now }) => ({ 'x-timestamp': String(Math.floor(Date.parse(now) / 1000)) }),
    body: ({ id, status, amount, currency }, event) => ({ event: event.id, charge: { id, state: status, amount, currency } }),
  },
};
`;

let browser: Browser | undefined;
let child: ReturnType<typeof startCli>;
let url = '';

beforeAll(async () => {
  writeFileSync(file, source('remark'));
  child = startCli(['playground', '--port', '0', '--connector', file]);
  let told = '';
  url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString('utf8');
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(told)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(told)));
  });
});

afterAll(async () => {
  await browser?.close();
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});

test('the playground shows the request while the form is filled in, sends it, replays notifications, and loads a change', async (ctx) => {
  const executablePath = requireTool(ctx, chromium);
  browser = await engine.launch({ executablePath, args: [...chromiumFlags] });
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  const preview = page.locator('#preview');
  await expect.poll(() => preview.textContent()).toContain('json.amount10.00order.amount');
  expect(await preview.textContent()).toContain('headers.x-api-key•••settings.api_key');

  await page.fill('#parameters [name=note]', 'a text too long');
  await expect.poll(() => preview.textContent()).toContain('This value is too long.');
  await page.fill('#parameters [name=note]', 'hello');
  await expect.poll(() => preview.textContent()).toContain('json.remarkhelloparameters.scan.note (session)');

  await page.click('#send');
  await expect.poll(() => page.textContent('#outcome')).toContain('"status": "pending"');
  await page.getByRole('button', { name: 'forged' }).click();
  await expect.poll(() => page.textContent('#received')).toContain('"why":"signature"');
  await page.mouse.click(0, 0);
  await page.getByRole('button', { name: 'settle' }).click();
  await expect.poll(() => page.textContent('#received')).toContain('"status":"settled"');

  // What was filled in stays over a change of the connector.
  writeFileSync(file, source('comment'));
  await expect.poll(() => preview.textContent()).toContain('json.commenthello');
  expect(problems).toEqual([]);
});

test('the playground answers its own address only, and takes no form of another site', async () => {
  const other = await fetch(url.replace('127.0.0.1', 'localhost'));
  expect(other.status).toBe(403);
  const form = await fetch(`${url}/api/send`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  expect(form.status).toBe(404);
});

test('a port that is none is refused', async () => {
  const { code, complained } = await runCli(['playground', '--port', 'x', '--connector', file]);
  expect({ code, complained }).toEqual({ code: 2, complained: expect.stringContaining('--port takes a number') });
  expect(readFileSync(file, 'utf8')).not.toBe('');
});

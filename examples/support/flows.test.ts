import { crashAt, newPayment, runOf, type World } from '@railyard/conformance';
import type { Connector, Method } from '@railyard/core';
import { type FlowName, memoryJournal, preview, type Run } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { bankConnector } from '../bank-beneficiary/connector.ts';
import { bankBeneficiary } from '../bank-beneficiary/methods.ts';
import { cardConnector } from '../card-3ds/connector.ts';
import { card } from '../card-3ds/methods.ts';
import { regionalConnector } from '../country-fields/connector.ts';
import { regionalBank } from '../country-fields/methods.ts';
import { cryptoConnector } from '../crypto-address/connector.ts';
import { cryptoDeposit } from '../crypto-address/methods.ts';
import { quickConnector } from '../one-minute-qr/connector.ts';
import { quickCode } from '../one-minute-qr/methods.ts';
import { voucherConnector } from '../voucher-three-steps/connector.ts';
import { cashVoucher } from '../voucher-three-steps/methods.ts';
import { xmlConnector } from '../xml-decline/connector.ts';
import { storeAccount } from '../xml-decline/methods.ts';
import { money } from '@railyard/core';
import { sessionRequest } from './session.ts';

interface Example {
  readonly connector: Connector;
  readonly method: Method;
  readonly session?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly flows: readonly FlowName[];
}

const signals = {
  visit: { cres: 'cres-1' },
  user: { user: 'ada' },
  account: { account: 'acc-1' },
  code: { resend: true },
  'code#2': { resend: false, values: { code: '123456' } },
  'code#3': { resend: false, values: { code: '123456' } },
};

const EXAMPLES: readonly Example[] = [
  { connector: voucherConnector, method: cashVoucher, flows: ['purchase'] },
  { connector: cardConnector, method: card, flows: ['purchase', 'status'] },
  {
    connector: bankConnector,
    method: bankBeneficiary,
    session: { parameters: { 'bank-beneficiary': { beneficiary: 'ES9121000418' } } },
    flows: ['purchase', 'status'],
  },
  {
    connector: cryptoConnector,
    method: cryptoDeposit,
    session: { order: { currency: 'BTC', amount: undefined } },
    flows: ['purchase', 'status'],
  },
  { connector: quickConnector, method: quickCode, flows: ['purchase', 'renew', 'status'] },
  {
    connector: regionalConnector,
    method: regionalBank,
    session: { billing_address: { country: 'MX' } },
    flows: ['purchase', 'status'],
  },
  {
    connector: xmlConnector,
    method: storeAccount,
    session: { parameters: { 'store-account': { account: '12345678' } } },
    flows: ['purchase', 'refund', 'status'],
  },
];

const FLOWS = EXAMPLES.flatMap((example) =>
  example.flows.map((flow) => [example.connector.id, flow, example] as const),
);

const secrets = {
  base_url: 'https://provider.example',
  api_key: 'secret-key',
  private_key: 'secret-private',
  webhook_secret: 'secret-webhook-long',
  sign_key: 'secret-sign',
  shop: 'shop',
};

function runFor({ connector, method, session = {} }: Example, flow: FlowName): Run {
  const world: World = {
    connector,
    method,
    settings: connector.settings.parse(secrets),
    session: sessionRequest(method.key, session),
    card: { number: '4111111111111111', cvv: '737', expiryMonth: '12', expiryYear: '2030', holder: 'Ada Example' },
    disk: { payment: undefined, journal: memoryJournal().text() },
    points: crashAt([]),
    log: [],
    now: Date.parse('2026-11-21T10:00:00Z'),
  };
  world.disk.payment = newPayment(world);
  const amount = money('10.00', 'USD');
  const more = flow === 'refund' ? { amount, remaining: amount } : {};
  const modifying = flow === 'purchase' ? {} : { on: 'provider-1', ...more };
  return runOf(world, { id: `p/${flow}`, flow, began: '2026-11-21T10:00:00Z', ended: false, ...modifying });
}

test.each(FLOWS)('%s %s makes the same requests every time, to its end', (_id, flow, example) => {
  const run = runFor(example, flow);
  const [first, second] = [preview(run, { answers: { signals } }), preview(run, { answers: { signals } })];
  expect(first.requests.length).toBeGreaterThan(0);
  expect(first).toEqual(second);
  expect(first.end).not.toMatch(/no example|next action/);
});

test.each(FLOWS)('%s %s is shown without its secrets', (_id, flow, example) => {
  const shown = JSON.stringify(preview(runFor(example, flow), { answers: { signals } }));
  expect(shown).not.toMatch(/secret-|4111111111111111|737"/);
});

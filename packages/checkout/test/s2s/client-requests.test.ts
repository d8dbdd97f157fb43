import { readFileSync } from 'node:fs';
import { signCommand, type SignedCommandFields } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { clientMethodsConnector, clientMethodsProvider } from '../support/client-methods.ts';

/** A request recorded from an unmodified public client of the protocol. */
interface Recorded {
  readonly client: string;
  readonly id: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly secret: string;
  readonly body: string;
  readonly follows_formula: boolean;
}

const all: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../../core/test/fixtures/client-requests.json', import.meta.url), 'utf8'),
);
const recorded = all.filter(({ path }) => path.startsWith('/post'));
const [secret = '', ...otherSecrets] = new Set(recorded.map((each) => each.secret));

/** Before the cards of the recordings expire. */
let at = Date.parse('2024-06-15T12:00:00Z');
let service: AcquirerService;
let provider: Awaited<ReturnType<typeof clientMethodsProvider>>;

beforeAll(async () => {
  provider = await clientMethodsProvider();
  const offers = [
    { key: 'card', mid: 'cards' },
    { key: 'vcard', mid: 'clients' },
    { key: 'bank-a', mid: 'clients' },
  ];
  const settings = { base_url: provider.url };
  const clients = {
    id: 'clients',
    connector: clientMethodsConnector.id,
    settings,
    channels: ['airtel-TZ'],
  };
  service = await acquirerService(
    { password: secret, methods: offers },
    (own) => [account('cards', own, { channels: ['channel_id'], cardOnFile: true }), clients],
    { clock: () => at, connectors: [clientMethodsConnector] },
  );
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** The acquirer's answer to a sale in the scenarios that were recorded; its simulator gives the others. */
async function answered(status: number, body: object, request: Recorded) {
  service.state.answer = ({ url }) =>
    url.endsWith('/v1/sales')
      ? { status, body: { id: `pay_${request.id}`, amount: 32_120, currency: 'USD', ...body } }
      : undefined;
  const { json } = await replay(request);
  service.state.answer = () => undefined;
  return json;
}

async function send({ path, headers }: Recorded, body: string) {
  const reply = await fetch(`${service.url}${path}`, { method: 'POST', headers: Object.fromEntries(headers), body });
  return { status: reply.status, json: Object(await reply.json()) };
}

/** Sends the bytes that were recorded, under the headers they were sent with. Some repeat an order number, so each comes in its own window. */
function replay(request: Recorded, wait = 16_000) {
  at += wait;
  return send(request, request.body);
}

/** The same with other values, signed by its formula. */
function changed<F extends 'card' | 'transaction' | 'card_transaction'>(
  request: Recorded,
  values: Readonly<Record<string, string>>,
  formula: F,
  covered: SignedCommandFields<F>,
) {
  at += 16_000;
  const body = new URLSearchParams(request.body);
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  body.set('hash', signCommand(formula, covered, secret));
  return send(request, body.toString());
}

const byId = (id: string) => recorded.find((each) => each.id === id) ?? expect.fail(`There is no ${id}.`);

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
/** The fields that clients read of every answer to a sale, with what was sent. */
function saleOf({ body }: Recorded) {
  const sent = new Map(body.startsWith('{') ? Object.entries<unknown>(JSON.parse(body)) : new URLSearchParams(body));
  return {
    action: 'SALE',
    order_id: String(sent.get('order_id')).trim(),
    trans_id: expect.any(String),
    trans_date: DATE,
  };
}

const refusal = (...lines: string[]) =>
  expect.objectContaining({
    result: 'ERROR',
    error_code: expect.any(Number),
    error_message: expect.any(String),
    ...(lines.length > 0 && { errors: lines.map((error_message) => expect.objectContaining({ error_message })) }),
  });

const SOLD = ['sale-ok', 'sale-json', 's2s-card-sale', 's2s-card-token-then-pay.1', 's2s-card-token-then-pay2.1'];
const CHALLENGES = ['sale-3ds', 's2s-card-sale-3ds'];
const DECLINES = ['sale-decline', 's2s-card-sale-declined'];
const ERRORS = ['sale-error'];
const SENT_ON = ['s2s-apm-sale-urlencoded', 's2s-apm-sale-bannfy'];
const BY_TOKEN = ['s2s-card-token-then-pay.2', 's2s-card-token-then-pay2.2'];
const ON_TRANSACTIONS = ['s2s-card-creditvoid', 's2s-card-get-trans-status', 's2s-card-get-status-basic-auth'];
const NOT_OURS = [
  'session-json-posted-to-apm-endpoint-with-form-content-type',
  's2s-apm-status-tola-status-v2',
  's2s-apm-status-tola-status',
  's2s-apm-status-tola-check',
  's2s-apm-status-json-STATUS',
];

/** Requests that are refused until what they ask for is built. */
const WAITS = {
  createHostedSession: 'hosted payment fields',
  payWithHostedFields: 'hosted payment fields',
  'payWithHostedFields-debit': 'hosted payment fields',
};

test('every recorded request is a session, an action, a status or a command that a test answers, or waits for what is named', () => {
  const commands = [SOLD, CHALLENGES, DECLINES, ERRORS, SENT_ON, ON_TRANSACTIONS, BY_TOKEN, NOT_OURS].flat();
  expect(commands.toSorted()).toEqual(recorded.map(({ id }) => id).toSorted());
  expect(otherSecrets).toEqual([]);
  // The tests of service/client-requests (sessions, statuses) and service/client-actions take all of these addresses.
  const elsewhere = /^\/api\/v1\/(session|payment\/(status|capture|refund|void|retry|recurring|card\/credit))$/;
  const rest = all.filter(({ path, id }) => !path.startsWith('/post') && !Object.hasOwn(WAITS, id));
  expect(rest.filter(({ path }) => !elsewhere.test(path))).toEqual([]);
  expect([all.length, recorded.length, rest.length, Object.keys(WAITS).length]).toEqual([62, 22, 37, 3]);
});

describe('sales of real clients', () => {
  test.each(SOLD.map(byId))('$client $id is paid', async (request) => {
    const { status, json } = await replay(request);
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        ...saleOf(request),
        result: 'SUCCESS',
        status: expect.stringMatching(/^(SETTLED|PENDING)$/),
      }),
    ]);
  });

  test.each(CHALLENGES.map(byId))('$client $id leads its payer to the challenge', async (request) => {
    const action = { type: 'three_d_secure', url: 'https://acs.example/', fields: { creq: 'eyJ0' } };
    const json = await answered(201, { status: 'CHALLENGE', action }, request);
    expect(json).toMatchObject({ ...saleOf(request), result: 'REDIRECT', status: '3DS', redirect_method: 'POST' });
    expect([json.redirect_url, json.redirect_params]).toEqual(['https://acs.example/', { creq: 'eyJ0' }]);
  });

  test.each(DECLINES.map(byId))('$client $id reads why its sale was declined', async (request) => {
    const json = await answered(402, { status: 'DECLINED', response_code: '05' }, request);
    expect(json).toMatchObject({
      ...saleOf(request),
      result: 'DECLINED',
      status: 'DECLINED',
      decline_reason: 'Declined by processing.',
    });
  });

  test.each(ERRORS.map(byId))('$client $id, sent twice, reads an error', async (request) => {
    await replay(request);
    const { status, json } = await replay(request, 0);
    expect([status, json]).toEqual([400, refusal()]);
    expect(json.error_message).toBe('Duplicate request.');
  });

  test.each(SENT_ON.map(byId))('$client $id leads its payer to the provider', async (request) => {
    const { json } = await replay(request);
    expect(json).toMatchObject({ ...saleOf(request), result: 'REDIRECT', status: 'REDIRECT', redirect_method: 'GET' });
    expect(json.redirect_url).toBe(`${provider.url}/pay/${json.trans_id}`);
    // Left out where there are none.
    expect(Object.keys(json)).not.toContain('redirect_params');
  });
});

describe('sales by a token that another sale gave', () => {
  test.each(BY_TOKEN)('%s is paid by it, and refused with one that is not known', async (id) => {
    const request = byId(id);
    const first = byId(id.replace(/2$/, '1'));
    expect((await replay(request)).json).toEqual(refusal());
    const { json } = await replay(first);
    const card_token = String(json.card_token);
    const paid = await changed(request, { card_token }, 'card', { payer_email: 'payer@example.com', card: card_token });
    expect(paid.json).toMatchObject({ ...saleOf(request), result: 'SUCCESS', status: 'SETTLED', amount: '0.99' });
  });
});

describe('commands on a transaction', () => {
  test.each(ON_TRANSACTIONS.map(byId))(
    '$client $id does it, and finds nothing under an unknown id',
    async (request) => {
      expect((await replay(request)).json).toEqual(refusal());
      const { json } = await replay(byId('s2s-card-sale'));
      const { trans_id, order_id } = json;
      const covered = { payer_email: 'payer@example.com', trans_id, card: '4111111111' };
      const values = { trans_id, ...(request.id.endsWith('creditvoid') && { amount: '0.05' }) };
      const done = await changed(request, values, 'card_transaction', covered);
      const action = new URLSearchParams(request.body).get('action');
      expect(done.json).toMatchObject(
        action === 'CREDITVOID'
          ? { action, result: 'ACCEPTED', order_id, trans_id }
          : { action, result: 'SUCCESS', status: 'SETTLED', order_id, trans_id },
      );
    },
  );
});

describe('requests that sign by no formula, or are no command', () => {
  test.each(NOT_OURS.map(byId))('$client $id is refused in words that it reads', async (request) => {
    const { status, json } = await replay(request);
    expect([status, json]).toEqual([400, refusal()]);
  });
});

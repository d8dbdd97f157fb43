import { nestBrackets } from '@railyard/core';
import { gatewayConnector } from '@railyard/connector-crypto';
import { instantConnector } from '@railyard/connector-pix';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CALLBACK_DATA, STATUS_DATA } from '../../src/deployment/catalogue.ts';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { account, type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { cardConfig } from '../support/card-config.ts';
import { CARD, payByCard } from '../support/card-service.ts';
import { useDatabase } from '../support/database.ts';
import { gatewayProvider } from '../support/crypto-gateway.ts';
import { hostedFields } from '../support/hosted-fields.ts';
import { EXAMPLES, type Example, type ExampleName, type Ids, PRINTED } from '../support/openapi-examples.ts';
import { answerOf, openApi } from '../support/openapi.ts';
import { pixProvider } from '../support/pix-provider.ts';
import type { Received } from '../support/receiver.ts';
import { serviceContext } from '../support/service-context.ts';

/** The schemas of answers and callbacks, closed: a field that the document does not name is a fault. */
const closed: object = JSON.parse(JSON.stringify(openApi()), (_name, value: unknown) =>
  typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    ? { ...value, additionalProperties: false }
    : value,
);
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
ajv.addSchema(closed, 'openapi');

/** The faults of a value by a schema of the document. */
function faults(pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`openapi#${pointer}`);
  if (validate === undefined) throw new Error(`The document has no ${pointer}.`);
  if (validate(value) === true) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The faults of an answer by a response of the document, by its reference. */
function faultsAt(pointer: string, answer: unknown): string[] {
  const [, , path = '', , , status = ''] = pointer.split('/');
  const { responses } = Object.entries(openApi().paths).find(([each]) => escaped(each) === path)?.[1].post ?? {};
  const { $ref = '' } = Object(Reflect.get(Object(responses), status));
  return faults(`${String($ref).slice(1)}/content/application~1json/schema`, answer);
}

const escaped = (path: string) => path.replaceAll('/', '~1');

function schemaAt({ path, body, status }: Example): string {
  if (status === 400)
    return `/components/responses/${'action' in body ? 'CommandRefused' : 'Refused'}/content/application~1json/schema`;
  return 'action' in body
    ? `/components/schemas/${answerOf(path, String(body['action']))}`
    : `/paths/${escaped(path)}/post/responses/200/content/application~1json/schema`;
}

let service: AcquirerService;
let close: () => Promise<void>;
const sent = new Set<string>();

beforeAll(async () => {
  const [pix, gateway] = await Promise.all([pixProvider(), gatewayProvider()]);
  service = await acquirerService(
    {
      callbackData: [...CALLBACK_DATA],
      statusData: [...STATUS_DATA],
      methods: [
        { key: 'card', mid: 'cards' },
        { key: 'pix', mid: 'pix', commissions: [{ currency: 'BRL', percent: '1.5' }] },
        { key: 'trading-withdrawal', mid: 'coins' },
      ],
    },
    (settings) => [
      account('cards', settings, { cardOnFile: true }),
      {
        id: 'pix',
        connector: instantConnector.id,
        settings: { base_url: pix.url, api_key: pix.apiKey, webhook_secret: pix.webhookSecret },
        defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } },
      },
      {
        id: 'coins',
        connector: gatewayConnector.id,
        settings: {
          base_url: gateway.url,
          merchant_id: 'm-1',
          api_key: 'key',
          webhook_secret: 'a-secret-of-the-notifications',
        },
      },
    ],
    { connectors: [instantConnector, gatewayConnector] },
  );
  close = async () => {
    await service.stop();
    await Promise.all([pix.close(), gateway.close()]);
  };
});

afterAll(() => close());

/** Sends an example as the document has it, with the ids that this service gave. @returns its answer, which is as documented */
async function send(
  name: ExampleName,
  ids: Partial<Ids> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const example: Example = EXAMPLES[name]({ ...PRINTED, ...ids });
  const { path, body, status } = example;
  const isCommand = 'action' in body;
  const reply = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...(!isCommand && { 'content-type': 'application/json' }), ...headers },
    body: isCommand
      ? new URLSearchParams(Object.entries(body).map(([field, value]) => [field, String(value)]))
      : JSON.stringify(body),
  });
  const answer: unknown = await reply.json();
  expect([name, reply.status, answer]).toEqual([name, status, answer]);
  expect([name, faults(schemaAt(example), answer), answer]).toEqual([name, [], answer]);
  sent.add(name);
  return Object(answer);
}

const orderOf = (name: ExampleName): unknown => {
  const { body } = EXAMPLES[name](PRINTED);
  return 'order' in body ? Reflect.get(Object(body['order']), 'number') : Reflect.get(body, 'order_id');
};

/** The fields of a callback, as the merchant reads them. */
const read = ({ headers, body, fields }: Received): Readonly<Record<string, unknown>> =>
  headers['content-type'] === 'application/json' ? Object(JSON.parse(body)) : nestBrackets(fields);

/** The fields of a callback about the order of an example. */
async function told(
  name: ExampleName,
  fits: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const callback = await service.shop.until((each) => {
    const fields = read(each);
    const isOfOrder = [fields['order_number'], fields['order_id']].includes(orderOf(name));
    return isOfOrder && Object.entries(fits).every(([field, value]) => fields[field] === value);
  });
  return Object(read(callback));
}

/** Pays the session of an example on its page. */
async function pay(name: ExampleName, fits: Readonly<Record<string, string>> = { status: 'success' }) {
  const { redirect_url = '' } = await send(name);
  await payByCard(redirect_url, CARD);
  return told(name, fits);
}

let declines = 0;

/** The acquirer declines the next charges of mandates in such a way that they may be tried again. */
function declineSoftly(): void {
  service.state.answer = ({ url }) =>
    url.endsWith('/charges')
      ? {
          status: 402,
          body: {
            id: `declined-${(declines += 1)}`,
            status: 'DECLINED',
            amount: 300,
            currency: 'USD',
            response_code: '51',
          },
        }
      : undefined;
}

describe('an example of the document is answered as documented:', () => {
  test('a session, its status, a refund and a void', async () => {
    const { id: payment_id = '' } = await pay('session');
    await send('refund', { payment_id });
    await told('session', { type: 'refund' });
    await send('refund_too_much', { payment_id });
    await send('status', { payment_id });
    await send('status_by_order');
    await send('status_unknown');
    await send('session_invalid');
  });

  test('a hold and its capture, with callbacks in JSON', async () => {
    await service.configure((merchants) => merchants.map((each) => ({ ...each, callbackFormat: 'json' })));
    const { id: payment_id = '' } = await pay('session_hold');
    await send('capture', { payment_id });
    await told('session_hold', { type: 'capture' });
    await service.configure((merchants) => merchants);
  });

  test('a mandate, a later charge, and one more try of a declined one', async () => {
    const { id: payment_id = '', recurring_init_trans_id, recurring_token } = await pay('session_mandate');
    declineSoftly();
    const mandate = {
      recurring_init_trans_id: String(recurring_init_trans_id),
      recurring_token: String(recurring_token),
    };
    const charge = await send('recurring', mandate);
    service.state.answer = () => undefined;
    await send('retry', { payment_id: String(charge['payment_id']) });
    await told('recurring', { status: 'success' });
    await send('void', { payment_id });
    await told('session_mandate', { type: 'void' });
  });

  test('a payout to a card', async () => {
    await send('card_credit');
    await told('card_credit', { type: 'credit' });
  });

  test('hosted fields', async () => {
    const fields = hostedFields(service.url);
    const { token = '' } = await send('token');
    await fields.enter(token);
    const { public_id = '' } = await send('processing', {}, { token });
    await send('processing_again', { public_id }, { token });
    const { token: ofDebit = '' } = await send('token_debit');
    await fields.enter(ofDebit);
    await send('processing_debit', {}, { token: ofDebit });
  });

  test('the test clock', async () => {
    await send('test_clock');
  });

  test('a sale by card, its lookups, and what is done with it', async () => {
    const { trans_id = '', recurring_token = '' } = await send('sale');
    await send('trans_status', { trans_id });
    await send('trans_status_by_order');
    await send('trans_details', { trans_id });
    declineSoftly();
    const charge = await send('recurring_sale', { trans_id, recurring_token });
    service.state.answer = () => undefined;
    await send('retry_command', { trans_id: String(charge['trans_id']) });
    await send('void_command', { trans_id });
    await send('sale_invalid');
    await told('sale', { action: 'VOID' });
  });

  test('a hold by card', async () => {
    const { trans_id = '' } = await send('sale_hold');
    await send('capture_command', { trans_id });
    await send('creditvoid', { trans_id });
    await told('sale_hold', { action: 'CREDITVOID' });
  });

  test('a sale with 3-D Secure', async () => {
    expect(await send('sale_3ds')).toMatchObject({ result: 'REDIRECT', redirect_url: expect.any(String) });
    await told('sale_3ds', { status: '3DS' });
  });

  test('a debit of a card', async () => {
    const { trans_id = '', recurring_token = '' } = await send('debit');
    await send('recurring_debit', { trans_id, recurring_token });
  });

  test('payouts and transfers', async () => {
    await send('credit2card');
    await send('card2card');
    await send('credit2virtual');
    await send('credit2crypto');
    for (const name of ['credit2card', 'card2card', 'credit2virtual', 'credit2crypto'] as const) await told(name, {});
  });

  test('a sale by Pix', async () => {
    const { trans_id = '' } = await send('sale_by_pix');
    expect(await send('sale_listed')).toMatchObject({ redirect_params: [{ name: 'qr_code' }] });
    await send('pix_status', { trans_id });
    await send('pix_capture', { trans_id });
    await send('pix_creditvoid', { trans_id });
    await send('pix_void', { trans_id });
    await send('debit2virtual');
    await told('debit2virtual', {});
  });

  test('a debit in two steps', async () => {
    const { trans_id = '' } = await send('debit2virtual_calc');
    await send('debit2virtual_complete', { trans_id });
    await told('debit2virtual_calc', {});
  });

  test('schedules', async () => {
    const { schedule_id = '' } = await send('create_schedule');
    await send('update_schedule', { schedule_id });
    await send('pause_schedule', { schedule_id });
    await send('pause', { schedule_id });
    await send('schedule_info', { schedule_id });
    await send('run_schedule', { schedule_id });
    await send('run', { schedule_id });
    const { recurring_token = '' } = await send('sale_schedule', { schedule_id });
    await send('deschedule', { schedule_id, recurring_token });
    const { schedule_id: unused = '' } = await send('create_schedule');
    await send('delete_schedule', { schedule_id: unused });
  });

  test('all of them have been sent', () => {
    expect([...sent].toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
  });
});

describe('a refusal is as documented:', () => {
  const database = useDatabase();

  interface Refusal {
    readonly headers?: Readonly<Record<string, string>>;
    readonly text?: string;
    readonly prepare?: (context: ServiceDeps) => Partial<ServiceDeps>;
  }

  /** Sends an example to a service without workers. */
  async function refused(name: ExampleName, { headers = {}, text, prepare = () => ({}) }: Refusal = {}) {
    const given = cardConfig({ providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:1', port: 0 });
    const { context, close: closeContext } = serviceContext(database.db, given, Date.now);
    const { path, body }: Example = EXAMPLES[name](PRINTED);
    const app = createApp({ ...context, ...prepare(context) }, createChanges());
    const reply = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text ?? JSON.stringify(body),
    });
    await closeContext();
    const { status } = reply;
    const [answer, pointer]: [unknown, string] = [
      await reply.json(),
      `/paths/${escaped(path)}/post/responses/${status}`,
    ];
    return { status, retry: reply.headers.get('retry-after'), faults: faultsAt(pointer, answer) };
  }

  test.each(['session', 'sale'] as const)('%s', async (name) => {
    const underWay = ({ stores }: ServiceDeps) => {
      vi.spyOn(stores.idempotency, 'claim').mockResolvedValue({ kind: 'under-way' });
      return {};
    };
    const headers = { 'idempotency-key': 'key-1' };
    expect(await refused(name, { prepare: underWay, headers })).toEqual({ status: 409, retry: '1', faults: [] });
    const spent = (kind: string) => (context: ServiceDeps) => ({
      limits: { ...context.limits, wait: async (each: string) => (each === kind ? 7 : undefined) },
    });
    for (const kind of ['address', 'merchant'])
      expect(await refused(name, { prepare: spent(kind) })).toEqual({ status: 429, retry: '7', faults: [] });
    expect(await refused(name, { text: ' '.repeat(300_000) })).toMatchObject({ status: 413, faults: [] });
    const type = { 'content-type': 'text/plain' };
    expect(await refused(name, { headers: type })).toMatchObject({ status: 415, faults: [] });
  });

  test.each(['card_credit', 'credit2card'] as const)('%s, by a hash from an address of others', async (name) => {
    expect(await refused(name)).toMatchObject({ status: 403, faults: [] });
  });
});

test('every callback that was received is as documented', () => {
  const all = service.shop.received.map(read);
  const found = all.map((fields) => {
    const name = 'action' in fields ? 'CommandCallback' : 'Callback';
    return [fields, faults(`/components/schemas/${name}`, fields)];
  });
  expect(found.filter(([, wrong]) => wrong?.length !== 0)).toEqual([]);
  const types = all.map(({ type, action }) => type ?? action);
  expect([...new Set(types)]).toEqual(
    expect.arrayContaining(['sale', 'refund', 'capture', 'void', 'recurring', 'credit', 'debit', 'SALE', 'CREDITVOID']),
  );
});

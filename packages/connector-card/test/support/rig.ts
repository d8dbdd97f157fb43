import { createServer } from 'node:http';
import { money, type Operation, type Outcome, type ProviderEvent } from '@railyard/core';
import { binOf, CardHandle, samplePayerClient } from '@railyard/core/driver';
import { resolveMethod } from '@railyard/core/registry';
import {
  type Signal,
  drive,
  type DriveResult,
  type FlowName,
  type Host,
  type HttpRequest,
  kyTransport,
  memoryCredentials,
  memoryJournal,
  paymentInput,
  receiveNotification,
  type Run,
  type NextAction,
} from '@railyard/runtime';
import { createSimulator, manualTime, type SimulatorOptions } from '@railyard/simulator';
import { onTestFinished } from 'vitest';
import { acquirerConnector as connector, card } from '../../src/index.ts';
import { acquirerSimulation as simulation } from '../../src/simulation.ts';
import { registry, sessionOf, today } from './sessions.ts';

const START = Date.parse('2026-11-21T12:00:00Z');

/** A card as a payer types it. */
export interface TypedCard {
  readonly number: string;
  readonly cvv?: string | undefined;
  readonly expiry: string;
  readonly payee?: string;
  readonly stored?: boolean;
  readonly brand?: string;
  readonly coBranded?: true;
}

export const visa = (expiry: string, more: Partial<TypedCard> = {}): TypedCard => ({
  number: '4111111111111111',
  cvv: '123',
  expiry,
  ...more,
});

/** What a test wants of a payment. */
export interface Wanted {
  readonly card?: TypedCard;
  readonly method?: string;
  readonly operation?: Operation;
  readonly amount?: string;
  readonly session?: object;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly mid?: Readonly<Record<string, unknown>>;
  readonly cardOnFile?: boolean;
}

/** A payment as the flow of its operation sees it. */
export function paymentOf(reference: string, wanted: Wanted = {}) {
  const { method = 'card', operation = 'purchase', amount = '25.00', session = {}, parameters = {}, mid = {} } = wanted;
  const order = { number: 'order-1', amount, currency: 'USD', description: 'Two books' };
  const validated = registry.validate(sessionOf(method, { ...parameters }, { operation, order, ...session }), {
    today,
  });
  if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
  const resolved = resolveMethod(registry, validated.session, method, { mid });
  if (resolved.kind !== 'complete') throw new Error(JSON.stringify(resolved));
  const { card: typed } = wanted;
  return paymentInput({
    session: validated.session,
    resolved: resolved.value,
    id: reference,
    merchantReference: reference,
    test: true,
    client: samplePayerClient,
    ...(wanted.cardOnFile && { cardOnFile: true }),
    ...(typed && { card: handlesOf(typed) }),
    ...(typed?.payee !== undefined && { payeeCard: { number: new CardHandle('payee-number') } }),
  });
}

function handlesOf({ number, expiry, cvv, stored, brand, coBranded }: TypedCard) {
  const [expiryMonth = '', year = ''] = expiry.split('/');
  return {
    number: new CardHandle('number'),
    bin: binOf(number),
    ...(cvv !== undefined && { cvv: new CardHandle('cvv') }),
    expiryMonth,
    expiryYear: `20${year}`,
    holder: 'Ada Example',
    ...(stored && { stored }),
    ...(brand !== undefined && { brand }),
    ...(coBranded && { coBranded }),
  };
}

/** Opens the handles of a card. */
export const opener =
  (typed: TypedCard | undefined) =>
  ({ part }: CardHandle) =>
    part === 'payee-number' ? typed?.payee : part === 'number' || part === 'cvv' ? typed?.[part] : undefined;

/** The acquirer over HTTP, a receiver of its notifications, and a runtime that talks to it. */
export async function rig(options: Partial<SimulatorOptions> = {}, more: object = {}) {
  const time = manualTime(START);
  const account = { base_url: 'http://127.0.0.1:1', api_key: 'key', webhook_secret: 'secret-of-sixteen-letters' };
  const simulator = await createSimulator({
    connectors: [{ connector, simulation, settings: account }],
    clock: time.clock,
    scheduler: time.scheduler,
    scenario: 'settled',
    ...options,
  });
  const settings = connector.settings.parse({ ...account, base_url: simulator.baseUrl('card-acquirer'), ...more });
  const receiver = await receive(settings, time.clock);
  const transport = kyTransport();
  onTestFinished(async () => {
    await Promise.all([simulator.close(), transport.close(), receiver.close()]);
  });
  const sent: HttpRequest[] = [];
  const host: Host = {
    journal: memoryJournal(),
    transport: { send: (request) => (sent.push(request), transport.send(request)) },
    credentials: memoryCredentials(time.clock),
  };

  function runOf(id: string, flow: FlowName, context: object, method = 'card'): Run {
    const served = connector.serves.find((each) => each.method.key === method);
    const urls = { notify: receiver.url, return: 'https://pay.example/back' };
    const now = new Date(START).toISOString();
    return {
      id,
      connector,
      method: served?.method ?? card,
      flow,
      settings,
      mid: 'mid-1',
      context: { ...context, settings, now, urls },
    };
  }

  const driveRun = (run: Run, typed?: TypedCard, answer?: Signal): Promise<DriveResult> =>
    drive(run, { ...host, openCard: opener(typed) }, answer);

  /** Pays; `pay` sends the payer to the page as a browser would. */
  async function pay(
    id: string,
    wanted: Wanted,
  ): Promise<{ readonly nextAction?: NextAction; readonly outcome: Outcome }> {
    const { operation = 'purchase', method } = wanted;
    const run = runOf(id, operation, { payment: paymentOf(id, wanted) }, method);
    const first = await driveRun(run, wanted.card);
    if (first.kind !== 'suspended') return { outcome: outcomeOf(first) };
    const { nextAction } = first;
    if (nextAction.kind !== 'visit') throw new Error('The flow asks the payer something.');
    const values = await visitPage(nextAction);
    // The code is not held any more.
    const number = wanted.card && { ...wanted.card, cvv: undefined };
    return { nextAction, outcome: outcomeOf(await driveRun(run, number, { step: nextAction.step, values })) };
  }

  /** What is known of a payment that an action works on. */
  const known = (id: string, providerReference: string | undefined, wanted: Wanted = {}, agreement = {}) => ({
    ...paymentOf(id, wanted),
    connectorState: {},
    agreement,
    ...(providerReference !== undefined && { providerReference }),
  });

  return {
    simulator,
    time,
    receiver,
    sent,
    settings,
    runOf,
    drive: driveRun,
    pay,
    known,
    act: async (id: string, flow: FlowName, context: object) => outcomeOf(await driveRun(runOf(id, flow, context))),
    /** What a lookup tells. */
    lookUp: async (id: string, payment: object) => {
      const result = await driveRun(runOf(id, 'status', { payment }));
      return result.kind === 'reported' ? result.report : outcomeOf(result);
    },
    /** The ledger as `effect amount`, in order. */
    books: () => simulator.ledger().map(({ effect, amount, currency }) => `${effect} ${amount} ${currency}`),
  };
}

export const usd = (text: string) => money(text, 'USD');

function outcomeOf(result: DriveResult): Outcome {
  if (result.kind === 'failed') throw result.error;
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  return result.outcome;
}

/** Goes to the acquirer's page, confirms, and answers what the way back carries. */
export async function visitPage({ url, method, fields }: Extract<NextAction, { kind: 'visit' }>) {
  const page = await fetch(url, method === 'POST' ? { method, body: new URLSearchParams(fields) } : {});
  const id = /name="id" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const done = await fetch(new URL('/pay', url), {
    method: 'POST',
    body: new URLSearchParams({ id, page: 'payment' }),
  });
  const address = /<a href="([^"]+)"/.exec((await done.text()).replaceAll('&amp;', '&'))?.[1] ?? '';
  return Object.fromEntries(new URL(address).searchParams);
}

/** Takes notifications as a checkout does. */
async function receive(settings: unknown, clock: () => number) {
  const events: ProviderEvent[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const result = receiveNotification(connector, settings, { body, headers }, clock());
      if (result.kind === 'events') events.push(...result.events);
      else refused.push(result.why);
      response.writeHead(result.kind === 'events' ? result.acknowledge.status : 401).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/notify`,
    events,
    refused,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

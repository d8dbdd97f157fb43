import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** What the double took or paid out. */
export interface MobileMoneyEntry {
  readonly id: string;
  readonly kind: 'charge' | 'payout';
  /** What was sent, and when the request is over. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly amount: string;
  status: string;
  failure_code?: string;
  auth_model: 'STK_PROMPT' | 'OTP' | 'REDIRECT';
  resends: number;
}

/** What a test may change while the double runs. */
export interface MobileMoneyState {
  /** How new charges are confirmed, and how after a code. */
  auth: MobileMoneyEntry['auth_model'];
  afterCode: 'STK_PROMPT' | 'REDIRECT';
  code: string;
  /** The status of new payouts. */
  payoutStatus: string;
  /** Called when a request has had its effect and before it is answered; `false` leaves it unanswered. */
  beforeReply: (entry: MobileMoneyEntry) => boolean;
}

/** What a collection or a payout carries, as far as the double reads it. */
const textAt = (value: unknown, name: string): string =>
  typeof value === 'object' && value !== null ? String(Reflect.get(value, name) ?? '') : '';

const JUST_THE_NUMBER = /"amount":([0-9.]+)/;

/** How long a request on the phone waits. */
const WAITS_MS = 120_000;

/** Deliveries of a notification that is not answered with 200. */
const MOST_DELIVERIES = 5;

/**
 * A mobile money provider written from its description in the connector's README, apart from the connector's code: real HTTP, a reference
 * is taken once, notifications are signed over the JSON of `data` and repeated until they are answered with 200.
 */
export async function mobileMoneyProvider() {
  const secretKey = 'test-secret-key';
  const notificationSecret = 'test-notification-secret';
  const ledger: MobileMoneyEntry[] = [];
  const state: MobileMoneyState = {
    auth: 'STK_PROMPT',
    afterCode: 'STK_PROMPT',
    code: '123456',
    payoutStatus: 'success',
    beforeReply: () => true,
  };
  const make = (kind: MobileMoneyEntry['kind'], body: string, response: ServerResponse) => {
    const sent: Readonly<Record<string, unknown>> = JSON.parse(body);
    const reference = textAt(sent, 'reference');
    if (reference.length < 8) return refuse(response, 400, 'reference_too_short');
    if (ledger.some((entry) => ours(entry) === reference)) return refuse(response, 400, 'reference_taken');
    const entry: MobileMoneyEntry = {
      id: `${kind}_${randomUUID()}`,
      kind,
      sent,
      amount: JUST_THE_NUMBER.exec(body)?.[1] ?? '',
      status: kind === 'charge' ? 'processing' : state.payoutStatus,
      auth_model: state.auth,
      resends: 0,
    };
    ledger.push(entry);
    return state.beforeReply(entry) ? answer(response, 201, view(entry, server.url)) : undefined;
  };
  const takeCode = (entry: MobileMoneyEntry, body: string, response: ServerResponse) => {
    if (textAt(JSON.parse(body), 'code') !== state.code) return refuse(response, 422, 'wrong_code');
    entry.auth_model = state.afterCode;
    return answer(response, 200, view(entry, server.url));
  };
  const server = await listen((request, body, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://double');
    const line = `${request.method ?? ''} ${pathname}`;
    if (request.headers.authorization !== `Bearer ${secretKey}`) return refuse(response, 401, 'unauthorized');
    if (line === 'POST /v1/charges/mobile-money') return make('charge', body, response);
    if (line === 'POST /v1/payouts/mobile-money') return make('payout', body, response);
    const [, , kind, reference, action, again] = pathname.split('/');
    const entry = ledger.find((each) => ours(each) === reference && `${each.kind}s` === kind);
    if (entry === undefined) return refuse(response, 404, 'not_found');
    if (action === undefined) return answer(response, 200, view(entry, server.url));
    if (again === undefined) return takeCode(entry, body, response);
    entry.resends += 1;
    return answer(response, 200, { data: { status: entry.status } });
  });
  return {
    url: server.url,
    secretKey,
    notificationSecret,
    ledger,
    state,
    close: server.close,
    /** Tells of an entry until it is answered with 200, whatever its status at the provider is. @returns the answers' statuses */
    async tell(entry: MobileMoneyEntry, change: { readonly status?: string; readonly secret?: string } = {}) {
      const data = JSON.stringify({ ...dataOf(entry), ...(change.status !== undefined && { status: change.status }) });
      const signature = createHmac('sha256', change.secret ?? notificationSecret)
        .update(data)
        .digest('hex');
      const statuses: number[] = [];
      while (statuses.at(-1) !== 200 && statuses.length < MOST_DELIVERIES) {
        const reply = await fetch(textAt(entry.sent, 'notification_url'), {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-signature': signature },
          body: `{"event":"${entry.kind}.updated","data":${data}}`,
        });
        statuses.push(reply.status);
      }
      return statuses;
    },
  };
}

const ours = (entry: MobileMoneyEntry): string => textAt(entry.sent, 'reference');

/** What a reply and a notification tell. */
const dataOf = (entry: MobileMoneyEntry) => ({
  reference: entry.id,
  payment_reference: ours(entry),
  status: entry.status,
  amount: Number(entry.amount),
  currency: textAt(entry.sent, 'currency'),
  ...(entry.failure_code !== undefined && { failure_code: entry.failure_code }),
});

const view = (entry: MobileMoneyEntry, home: string) => ({
  data: {
    ...dataOf(entry),
    ...(entry.kind === 'charge' && {
      auth_model: entry.auth_model,
      message: 'Enter your PIN.',
      expires_at: new Date(Date.now() + WAITS_MS).toISOString(),
      ...(entry.auth_model === 'REDIRECT' && { redirect_url: `${home}/pages/${entry.id}` }),
    }),
  },
});

const refuse = (response: ServerResponse, status: number, code: string) =>
  answer(response, status, { error: { code } });

export type MobileMoneyProvider = Awaited<ReturnType<typeof mobileMoneyProvider>>;

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}

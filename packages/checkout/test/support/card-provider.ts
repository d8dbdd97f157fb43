import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { listen } from './listen.ts';

const askedSchema = z.object({
  kind: z.string(),
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  card: z.object({
    number: z.string(),
    bin: z.string(),
    brand: z.string().optional(),
    co_branded: z.boolean().optional(),
    cvv: z.string().optional(),
    expiry: z.string(),
    holder: z.string(),
    stored: z.boolean().optional(),
  }),
  payee: z.string().optional(),
  payee_name: z.string().optional(),
  client: z.record(z.string(), z.unknown()),
  return_url: z.string(),
});

export interface AskedPayment extends z.output<typeof askedSchema> {
  readonly id: string;
  status: 'PAID' | 'CHALLENGE' | 'REFUSED';
}

/** What a card's expiry date leads to, as with the documented test cards. */
const ENDS: Readonly<Record<string, { status: AskedPayment['status']; method?: 'GET' | 'POST'; pays?: boolean }>> = {
  '01/2038': { status: 'PAID' },
  '02/2038': { status: 'REFUSED' },
  '05/2038': { status: 'CHALLENGE', method: 'POST', pays: true },
  '06/2038': { status: 'CHALLENGE', method: 'POST', pays: false },
  '12/2038': { status: 'CHALLENGE', method: 'GET', pays: true },
  '12/2039': { status: 'CHALLENGE', method: 'GET', pays: false },
};

/** A card provider with its access control server, a page with one button. `asked` is its ledger: one entry for each authorisation. */
export async function cardProvider() {
  const asked: AskedPayment[] = [];
  const state = {
    /** Called before an authorisation is answered; `false` leaves it unanswered. */
    beforeReply: (_payment: AskedPayment): boolean | Promise<boolean> => true,
    /** Called before it says how payments stand. */
    beforeLookup: async (): Promise<void> => undefined,
    /** Whether it refuses what the card would have it take. */
    refuses: (_payment: AskedPayment): boolean => false,
    /** What it says when it refuses. */
    says: (_payment: AskedPayment): string => 'Declined by processing.',
    /** What it says beyond that when it is asked about a payment. */
    adds: (_payment: AskedPayment): { readonly message?: string; readonly token?: string } => ({}),
    /** The query of the address of its bank. */
    bankQuery: '',
  };
  const told = ({ id, status, amount, currency, card }: AskedPayment, url: string) => ({
    id,
    status,
    amount,
    currency,
    ...(status === 'CHALLENGE' && { challenge: challengeOf(id, card.expiry, url) }),
  });
  const challengeOf = (id: string, expiry: string, url: string) => ({
    id,
    url: `${url}/acs${state.bankQuery}`,
    method: ENDS[expiry]?.method ?? 'POST',
    creq: `creq-${id}`,
  });
  const json = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const authorise = async (body: string, url: string, response: ServerResponse) => {
    const sent = askedSchema.parse(JSON.parse(body));
    const status = ENDS[sent.card.expiry]?.status ?? 'PAID';
    const payment: AskedPayment = { ...sent, id: `c-${sent.reference}`, status };
    asked.push(payment);
    if (state.refuses(payment)) payment.status = 'REFUSED';
    if (!(await state.beforeReply(payment))) return;
    if (payment.status === 'PAID') return json(response, 200, told(payment, url));
    if (payment.status === 'REFUSED') return json(response, 402, { id: payment.id, message: state.says(payment) });
    return json(response, 202, challengeOf(payment.id, sent.card.expiry, url));
  };
  const complete = (id: string, response: ServerResponse, url: string) => {
    const payment = asked.find((each) => each.id === id);
    if (payment === undefined) return json(response, 404, {});
    if (payment.status === 'CHALLENGE') payment.status = ENDS[payment.card.expiry]?.pays === true ? 'PAID' : 'REFUSED';
    if (payment.status === 'REFUSED') return json(response, 402, { id, message: state.says(payment) });
    return json(response, 200, told(payment, url));
  };
  const acs = (fields: URLSearchParams, response: ServerResponse) => {
    const id = (fields.get('creq') ?? '').replace('creq-', '');
    const payment = asked.find((each) => each.id === id);
    const action = payment?.return_url ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><title>Bank</title><form method="post" action="${action}"><input type="hidden" name="cres" value="cres-${id}"><button>Confirm</button></form>`,
    );
  };
  const look = async ({ origin, searchParams }: URL, response: ServerResponse) => {
    await state.beforeLookup();
    const known = asked.filter(({ reference }) => reference === searchParams.get('reference'));
    return json(response, 200, {
      payments: known.map((payment) => ({ ...told(payment, origin), ...state.adds(payment) })),
    });
  };
  const server = await listen((request: IncomingMessage, body, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const completed = /^\/payments\/([^/]+)\/complete$/.exec(url.pathname);
    if (url.pathname === '/acs')
      return acs(request.method === 'POST' ? new URLSearchParams(body) : url.searchParams, response);
    if (completed !== null) return complete(completed[1] ?? '', response, url.origin);
    if (request.method === 'POST') return void authorise(body, url.origin, response);
    return void look(url, response);
  });
  return { url: server.url, asked, state, close: server.close };
}

export type CardProvider = Awaited<ReturnType<typeof cardProvider>>;

import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** One output of a transaction. */
export interface CryptoDeposit {
  readonly txid: string;
  readonly output: number;
  readonly asset: string;
  readonly amount: string;
  readonly value: { readonly amount: string; readonly currency: string };
  status: 'seen' | 'confirmed' | 'rejected';
  confirmations: number;
}

/** An address that was given. */
export interface CryptoAddress {
  readonly id: string;
  /** What was sent to make it. */
  readonly sent: Readonly<Record<string, unknown>>;
  address: string;
  readonly amount?: string;
  readonly deposits: CryptoDeposit[];
}

/** Published samples of the specifications. */
export const SAMPLES = {
  bitcoin: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'bitcoin-cash': '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
  eth: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
} as const;

const addresses: ReadonlyMap<string, string> = new Map(Object.entries(SAMPLES));

const at = (value: unknown, path: string): string =>
  String(path.split('.').reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value) ?? '');

/**
 * A provider of addresses written from its description in the connector's README, apart from the connector's code: real HTTP, one
 * address for each idempotency key, notifications signed with their time.
 */
export async function cryptoProvider() {
  const apiKey = 'test-api-key';
  const notificationSecret = 'test-notification-secret';
  const ledger: CryptoAddress[] = [];
  const keys = new Map<string, CryptoAddress>();
  const state = {
    /** The address of the next one that is made, in place of a good one. */
    next: undefined as string | undefined,
    /** How much of the coin the price is. */
    amount: undefined as string | undefined,
  };
  const make = (key: string, body: string, response: ServerResponse) => {
    const sent: Readonly<Record<string, unknown>> = JSON.parse(body);
    const known = keys.get(key);
    const made: CryptoAddress = known ?? {
      id: `adr_${randomUUID()}`,
      sent,
      address: state.next ?? addresses.get(at(sent, 'network')) ?? '',
      ...(state.amount !== undefined && { amount: state.amount }),
      deposits: [],
    };
    if (known === undefined) {
      keys.set(key, made);
      ledger.push(made);
    }
    answer(response, 201, { address: view(made) });
  };
  const server = await listen((request, body, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://double');
    if (request.headers.authorization !== `Bearer ${apiKey}`) return answer(response, 401, problem('unauthorized'));
    if (request.method === 'POST') return make(String(request.headers['idempotency-key']), body, response);
    const [, , , first = '', second = ''] = pathname.split('/');
    const found = ledger.find((each) => (first === 'reference' ? ours(each) === second : each.id === first));
    if (found === undefined) return answer(response, 404, problem('not_found'));
    return answer(response, 200, { address: view(found), ...(second === 'deposits' && { deposits: found.deposits }) });
  });
  return {
    url: server.url,
    apiKey,
    notificationSecret,
    ledger,
    state,
    close: server.close,
    /** Tells of deposits at an address, of all of them unless some are given. @returns the answer's status */
    async tell(
      to: CryptoAddress,
      deposits: readonly CryptoDeposit[] = to.deposits,
      { secret = notificationSecret, now = Date.now(), url = at(to.sent, 'notify_url') } = {},
    ): Promise<number> {
      const body = JSON.stringify({ address: view(to), deposits });
      const time = String(Math.floor(now / 1000));
      const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-timestamp': time, 'x-signature': `sha256=${mac}` };
      const reply = await fetch(url, { method: 'POST', headers, body });
      return reply.status;
    },
  };
}

export type CryptoProvider = Awaited<ReturnType<typeof cryptoProvider>>;

/** Coins arrive at an address. They are worth as much as they are many, unless their value is given. */
export function arrive(to: CryptoAddress, amount: string, of: Partial<CryptoDeposit> = {}): CryptoDeposit {
  const asset = at(to.sent, 'asset');
  const deposit: CryptoDeposit = {
    txid: randomUUID(),
    output: 0,
    asset,
    amount,
    value: { amount, currency: at(to.sent, 'price.currency') },
    status: 'confirmed',
    confirmations: 2,
    ...of,
  };
  to.deposits.push(deposit);
  return deposit;
}

const ours = ({ sent }: CryptoAddress): string => at(sent, 'reference');

const view = ({ id, sent, address, amount }: CryptoAddress) => ({
  id,
  reference: at(sent, 'reference'),
  address,
  asset: at(sent, 'asset'),
  network: at(sent, 'network'),
  ...(amount !== undefined && { amount }),
});

const problem = (code: string) => ({ error: { code } });

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}

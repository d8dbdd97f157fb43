import { randomUUID } from 'node:crypto';
import { listen } from './listen.ts';

/** A payment or a withdrawal at the gateway. */
export interface GatewayTransaction {
  readonly id: string;
  readonly kind: 'payments' | 'withdrawals';
  readonly sent: Readonly<Record<string, unknown>>;
  status: string;
}

/** A gateway written from its description in the connector's README, apart from the connector's code. A reference is taken once. */
export async function gatewayProvider() {
  const ledger: GatewayTransaction[] = [];
  const view = ({ id, kind, sent, status }: GatewayTransaction) => ({
    transaction: {
      id,
      reference: sent.reference,
      status,
      amount: sent.amount ?? '0.00',
      currency: sent.currency,
      ...(kind === 'payments' && { pay_url: `${server.url}/pages/${id}` }),
    },
  });
  const take = (kind: GatewayTransaction['kind'], sent: GatewayTransaction['sent']): readonly [number, unknown] => {
    if (ledger.some((each) => each.sent.reference === sent.reference)) return [422, { code: 'REFERENCE_TAKEN' }];
    const made = { id: `txn_${randomUUID()}`, kind, sent, status: 'NEW' };
    ledger.push(made);
    return [201, view(made)];
  };
  const answer = (line: string, body: string): readonly [number, unknown] => {
    if (line === 'POST /api/payments') return take('payments', JSON.parse(body));
    if (line === 'POST /api/withdrawals') return take('withdrawals', JSON.parse(body));
    const found = ledger.find(({ sent }) => line === `GET /api/transactions/${String(sent.reference)}`);
    return found === undefined ? [404, { code: 'NOT_FOUND' }] : [200, view(found)];
  };
  const server = await listen((request, body, response) => {
    const known = request.headers['x-merchant-id'] === 'm-1' && request.headers['x-secret-key'] === 'test-secret-key';
    const [status, json] = known ? answer(`${request.method} ${request.url}`, body) : [401, { code: 'WHO' }];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  });
  return { url: server.url, ledger, close: server.close };
}

import { createHmac, randomUUID } from 'node:crypto';
import { buildBrCode } from '@railyard/identifiers/br-code';
import { listen } from './listen.ts';

/** What the double charged or paid out; the truth that every test compares with. */
export interface LedgerEntry {
  readonly id: string;
  readonly external_id: string;
  readonly kind: 'charge' | 'payout';
  readonly amount: string;
  readonly code: string;
  readonly expires_at?: string | undefined;
  status: string;
}

interface NotificationChange {
  readonly eventId?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly secret?: string;
  readonly at?: number;
}

export interface PixProvider {
  readonly url: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly ledger: LedgerEntry[];
  /** Called when a request has had its effect and before it is answered; `false` leaves it unanswered. */
  beforeReply: (entry: LedgerEntry) => boolean;
  /** Changes an answer before it leaves, as a provider's new version does. */
  reshape: (status: number, json: unknown) => { readonly status: number; readonly json: unknown };
  /** `false`: refuses to renew a code. */
  renews: boolean;
  /** How long new codes are valid by the double's `clock`; for ever unless set. */
  lifetimeMs: number | undefined;
  clock: () => number;
  /** The id of the next entry, to be known before it is made. */
  nextId: string | undefined;
  /** The status of new payouts. */
  payoutStatus: string;
  /** A signed notification. */
  notificationOf(
    entry: LedgerEntry,
    change?: NotificationChange,
  ): { readonly headers: Record<string, string>; readonly body: string };
  /** Sends a signed notification. @returns the HTTP status of the answer */
  notify(url: string, entry: LedgerEntry, change?: NotificationChange): Promise<number>;
  close(): Promise<void>;
}

/** A Pix provider written from its description in the connector's README, apart from the connector's code. */
export async function pixProvider(): Promise<PixProvider> {
  const apiKey = 'test-api-key';
  const webhookSecret = 'test-webhook-secret';
  const ledger: LedgerEntry[] = [];
  const byKey = new Map<string, LedgerEntry>();
  const server = await listen((request, body, response) => {
    const answer = (usual: number, before: unknown) => {
      const { status, json } = provider.reshape(usual, before);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    if (request.headers['x-api-key'] !== apiKey) return answer(401, { code: 'unauthorized' });
    const path = new URL(request.url ?? '/', 'http://double').pathname;
    if (request.method === 'POST' && (path === '/v1/charges' || path === '/v1/payouts')) {
      const kind = path === '/v1/charges' ? 'charge' : 'payout';
      const sent: unknown = JSON.parse(body);
      const key = String(request.headers['idempotency-key'] ?? textOf(sent, 'external_id'));
      // A charge's external_id is taken once; a repeat is not answered with the charge, so a blind second send shows.
      if (kind === 'charge' && byKey.has(key)) return answer(422, { code: 'external_id_taken' });
      const status = kind === 'charge' ? 'PENDING' : provider.payoutStatus;
      const entry = byKey.get(key) ?? newEntry(kind, sent, status, expiry(provider), provider.nextId);
      if (!byKey.has(key)) ledger.push(entry);
      byKey.set(key, entry);
      provider.nextId = undefined;
      return provider.beforeReply(entry) ? answer(201, view(entry)) : undefined;
    }
    const renewed = /^\/v1\/charges\/([^/]+)\/renew$/.exec(path)?.[1];
    if (request.method === 'POST' && renewed !== undefined) {
      const old = ledger.find((entry) => entry.id === renewed);
      if (old === undefined) return answer(404, { code: 'not_found' });
      if (!provider.renews) return answer(422, { code: 'not_now' });
      const key = String(request.headers['idempotency-key']);
      const entry = byKey.get(key) ?? newEntry('charge', old, 'PENDING', expiry(provider));
      if (!byKey.has(key)) ledger.push(entry);
      byKey.set(key, entry);
      return answer(201, view(entry));
    }
    const wanted = path.split('/').at(-1);
    const found = ledger.find((entry) => entry.id === wanted || entry.external_id === wanted);
    return found === undefined ? answer(404, { code: 'not_found' }) : answer(200, view(found));
  });
  const provider: PixProvider = {
    url: server.url,
    apiKey,
    webhookSecret,
    ledger,
    beforeReply: () => true,
    reshape: (status, json) => ({ status, json }),
    lifetimeMs: undefined,
    clock: Date.now,
    nextId: undefined,
    payoutStatus: 'PAID',
    renews: true,
    notificationOf(entry, change = {}) {
      const at = String(Math.floor((change.at ?? Date.now()) / 1000));
      const body = JSON.stringify({
        event_id: change.eventId ?? `evt_${randomUUID()}`,
        data: {
          id: entry.id,
          external_id: entry.external_id,
          status: entry.status,
          amount: change.amount ?? entry.amount,
          currency: change.currency ?? 'BRL',
        },
      });
      const signature = createHmac('sha256', change.secret ?? webhookSecret)
        .update(`${at}.${body}`)
        .digest('hex');
      return {
        headers: { 'content-type': 'application/json', 'x-timestamp': at, 'x-signature': `sha256=${signature}` },
        body,
      };
    },
    notify: async (url, entry, change) =>
      (await fetch(url, { method: 'POST', ...provider.notificationOf(entry, change) })).status,
    close: server.close,
  };
  return provider;
}

function expiry({ lifetimeMs, clock }: PixProvider): string | undefined {
  return lifetimeMs === undefined ? undefined : new Date(clock() + lifetimeMs).toISOString();
}

function newEntry(
  kind: 'charge' | 'payout',
  sent: unknown,
  status: string,
  expires_at: string | undefined,
  id = `${kind}-${randomUUID().slice(0, 8)}`,
): LedgerEntry {
  const built = buildBrCode({
    kind: 'dynamic',
    url: `pix.example/qr/${id}`,
    merchantName: 'Loja Exemplo',
    merchantCity: 'SAO PAULO',
  });
  return {
    id,
    external_id: textOf(sent, 'external_id'),
    kind,
    amount: textOf(sent, 'amount'),
    code: built.ok ? built.text : '',
    expires_at,
    status,
  };
}

function view(entry: LedgerEntry): unknown {
  const common = { external_id: entry.external_id, status: entry.status, amount: entry.amount, currency: 'BRL' };
  return entry.kind === 'payout'
    ? { payout_id: entry.id, ...common }
    : {
        qr_code_id: entry.id,
        ...common,
        base_64_image: '',
        pix_copy_and_paste: entry.code,
        expires_at: entry.expires_at,
      };
}

function textOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : '';
}

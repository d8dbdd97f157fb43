import { randomUUID } from 'node:crypto';
import { acquirerConnector } from '@railyard/connector-card';
import type { HttpRequest, HttpResult, Transport } from '@railyard/runtime';
import { signCommand } from '@railyard/core/protocol';
import * as z from 'zod';
import { createChanges } from '../../src/http/basics/server.ts';
import { createApp } from '../../src/http/app.ts';
import type { CheckoutConfig } from '../../src/index.ts';
import { syncPayment, takePolls } from '../../src/payments/lookups.ts';
import { createBreakers } from '../../src/payments/runs/breakers.ts';
import { recoverRun, takeAbandoned } from '../../src/payments/runs/again.ts';
import { lookAtChain, takeChains } from '../../src/payments/scheduled.ts';
import { sealedAt } from '../../src/secrets/index.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { type Db, releaseHolds } from '../../src/storage/index.ts';
import { saleFields } from './card-commands.ts';
import type { MerchantChange } from './card-config.ts';
import type { CommandReply, Fields } from './commands.ts';
import { callbackSecret } from './receiver.ts';
import { serviceContext } from './service-context.ts';
import { merchant } from './service.ts';

const requestSchema = z.object({ reference: z.string(), amount: z.number(), currency: z.string() });

/** How the acquirer answers a charge. */
export type Charged = 'approved' | 'soft' | 'hard';

/** A charge of an agreement that reached the acquirer. */
export interface ReachedCharge {
  /** The virtual time at which it came. */
  readonly at: string;
  readonly agreement: string;
  readonly amount: number;
}

const APPROVED = { status: 201, words: { status: 'APPROVED', response_code: '00' } };
const ANSWERS: Readonly<Record<Charged, typeof APPROVED>> = {
  approved: APPROVED,
  soft: { status: 402, words: { status: 'DECLINED', response_code: '51' } },
  hard: { status: 402, words: { status: 'DECLINED', response_code: '54' } },
};

/** The service without its server and its workers, at an acquirer within the process, by a clock that the test sets. */
export function scheduleRig(db: Db, ofMerchant: MerchantChange = {}) {
  let now = Date.parse('2027-01-31T10:00:00Z');
  const charges: ReachedCharge[] = [];
  const state = { charged: (_charge: ReachedCharge): Charged => 'approved' };
  const transport = acquirer(charges, state, () => new Date(now).toISOString());
  const config: CheckoutConfig = {
    publicUrl: 'http://127.0.0.1:1',
    port: 0,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [acquirerConnector],
    mids: [
      {
        id: 'cards',
        connector: acquirerConnector.id,
        settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 'a-secret-of-the-notifications' },
      },
    ],
    merchants: [
      {
        ...merchant,
        name: 'Card shop',
        callbackUrl: 'http://127.0.0.1:1/callback',
        callbackSecret,
        methods: [{ key: 'card', mid: 'cards' }],
        ...ofMerchant,
      },
    ],
  };
  const made = serviceContext(db, config, () => now);
  const breakers = createBreakers(transport, { monotonic: () => now, log: made.context.log });
  const context: ServiceDeps = { ...made.context, transport, breakers };
  const app = createApp(context, createChanges());
  const send = async (fields: Fields): Promise<CommandReply> => {
    const reply = await app.request('/post', { method: 'POST', body: new URLSearchParams(fields) });
    return { status: reply.status, json: Object(await reply.json()) };
  };
  const schedule = (action: string, schedule_id: string, more: Fields = {}) =>
    send({
      action,
      client_key: merchant.key,
      ...(schedule_id !== '' && { schedule_id }),
      hash: signCommand('schedule', { schedule_id }, merchant.password),
      ...more,
    });
  return {
    context,
    charges,
    state,
    send,
    schedule,
    close: made.close,
    set: (to: string) => void (now = Date.parse(to)),
    /** A monthly schedule of twelve charges, unless changed. @returns its id */
    async plan(change: Fields = {}): Promise<string> {
      const terms = { name: 'Gold', interval_length: '1', interval_unit: 'month', payments_count: '12' };
      return String((await schedule('CREATE_SCHEDULE', '', { ...terms, ...change })).json['schedule_id']);
    },
    /** The payment that a payer makes, by a schedule. */
    async begin(schedule_id: string, change: Fields = {}) {
      const { status, json } = await send(saleFields({ recurring_init: 'Y', schedule_id, ...change }));
      if (status !== 200 || json['result'] !== 'SUCCESS') throw new Error(JSON.stringify(json));
      const trans_id = String(json['trans_id']);
      const { id } = await db
        .selectFrom('payments')
        .select('id')
        .where('merchantReference', '=', trans_id)
        .executeTakeFirstOrThrow();
      return { id, json, trans_id, token: String(json['recurring_token']), number: String(json['order_id']) };
    },
    /** Sets the clock and does all that is due then, as the service's worker does it. */
    async work(at: string, by: ServiceDeps = context): Promise<void> {
      now = Date.parse(at);
      for (;;) {
        const chains = await takeChains(by, 20, []);
        if (chains.length === 0) return;
        for (const chain of chains) await lookAtChain(by, chain);
      }
    },
    /**
     * Starts after a process that died, and does all that it has left, as the service's workers do it: what is due is charged before anything is
     * known of the charge that was under way, and the provider is asked about that until nothing is open.
     */
    async recover(at: string): Promise<void> {
      now = Date.parse(at);
      await releaseHolds(db, context.sqlClock);
      await this.work(at);
      for (;;) {
        for (const run of await takeAbandoned(context, 20, [])) await recoverRun(context, run);
        for (const payment of await takePolls(context, 20, [])) await syncPayment(context, payment);
        const open = db.selectFrom('payments').select('pollAt').where('pollAt', 'is not', null).orderBy('pollAt');
        const next = (await open.executeTakeFirst())?.pollAt;
        if (!next) break;
        now = Math.max(now, next.getTime());
      }
      await this.work(new Date(now).toISOString());
    },
    /** What became of the days of a chain: `2027-02-28 settled`. */
    async days(mandateId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('dueDays')
        .selectAll()
        .where('mandateId', '=', mandateId)
        .orderBy('day')
        .execute();
      return rows.map(({ day, state: each }) => `${day} ${each}`);
    },
    /** The bodies of the callbacks of an order number, oldest first. */
    async callbacks(orderNumber: string): Promise<Readonly<Record<string, string>>[]> {
      const rows = await db.selectFrom('callbacks').selectAll().orderBy('createdAt').orderBy('seq').execute();
      return rows
        .map(({ id, body }) =>
          Object.fromEntries(new URLSearchParams(context.sealer.open(body, sealedAt.callbackBody(id)))),
        )
        .filter((fields) => (fields['order_id'] ?? fields['order_number']) === orderNumber);
    },
  };
}

export type ScheduleRig = ReturnType<typeof scheduleRig>;

function acquirer(
  charges: ReachedCharge[],
  state: { readonly charged: (charge: ReachedCharge) => Charged },
  now: () => string,
): Transport {
  const known = new Map<string, object>();
  const reply = (status: number, json: object): HttpResult => ({
    kind: 'reply',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  /** A lookup: the last part of its address is the reference or the id. */
  const find = (url: string): HttpResult => {
    const found = known.get(url.slice(url.lastIndexOf('/') + 1));
    return found === undefined ? reply(404, { code: 'unknown' }) : reply(200, found);
  };
  const take = ({ url, body }: HttpRequest): HttpResult => {
    const { reference, amount, currency } = requestSchema.parse(JSON.parse(body ?? ''));
    if (known.has(reference)) return reply(422, { code: 'duplicate_reference' });
    const agreement = /\/agreements\/([^/]+)\//.exec(url)?.[1];
    let said = APPROVED;
    if (agreement !== undefined) {
      const charge = { at: now(), agreement, amount };
      charges.push(charge);
      said = ANSWERS[state.charged(charge)];
    }
    const first = agreement === undefined && { agreement_id: `agr_${reference}` };
    const id = randomUUID();
    const json = { id, reference, amount, currency, ...said.words, ...first };
    for (const name of [id, reference]) known.set(name, json);
    return reply(said.status, json);
  };
  return { send: async (request) => (request.method === 'GET' ? find(request.url) : take(request)) };
}

import type { ArrivedNotification } from '@railyard/core/driver';
import {
  type LedgerLine,
  match,
  type ProviderDouble,
  type ProviderRequest,
  reply,
} from '../support/provider-double.ts';

interface Code {
  readonly id: string;
  readonly order: string;
  readonly amount: string;
  readonly currency: string;
  readonly expiresAt: number;
  paid: boolean;
}

/** Makes codes that are shown for a minute and may be paid a little later. */
export class QuickProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  readonly outbox: ArrivedNotification[] = [];
  now = Date.parse('2026-11-21T10:00:00Z');
  readonly #codes: Code[] = [];

  handle({ method, path, headers, body }: ProviderRequest) {
    if (headers['x-api-key'] !== 'key') return reply(401, {});
    if (method === 'POST') return this.#create(JSON.parse(body));
    const code = this.#codes.find(({ id }) => id === match('/codes/{id}', path)?.id);
    if (code === undefined) return reply(404, {});
    const { id, amount, currency } = code;
    return reply(200, { id, status: this.#status(code), amount, currency });
  }

  /** The payer scanned this code a while ago and confirms now. */
  pay(id: string): void {
    const code = this.#codes.find((each) => each.id === id);
    if (code === undefined) throw new Error(`There is no code ${id}.`);
    code.paid = true;
    this.ledger.push({ effect: 'charge', reference: id, amount: code.amount });
    this.outbox.push({ body: `code=${id}`, headers: {} });
  }

  #create({ order, amount, currency }: Readonly<Record<string, string>>) {
    const known = this.#codes.find((each) => each.order === order);
    const code = known ?? {
      id: `q-${this.#codes.length + 1}`,
      order: order ?? '',
      amount: amount ?? '',
      currency: currency ?? '',
      expiresAt: this.now + 60_000,
      paid: false,
    };
    if (known === undefined) {
      this.#codes.push(code);
      this.ledger.push({ effect: 'code', reference: code.order, amount: code.amount });
    }
    const { id, expiresAt } = code;
    return reply(201, { id, content: `QUICK.${id}`, expires_at: new Date(expiresAt).toISOString() });
  }

  #status({ paid, expiresAt }: Code): string {
    if (paid) return 'PAID';
    return expiresAt > this.now ? 'OPEN' : 'EXPIRED';
  }
}

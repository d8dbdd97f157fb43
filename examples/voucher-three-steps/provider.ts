import type { ArrivedNotification } from '@railyard/core/driver';
import { createHmac } from 'node:crypto';

import { type LedgerLine, type ProviderDouble, type ProviderRequest, reply } from '../support/provider-double.ts';

/** A voucher provider: its tokens can be taken back, it takes a Value once, its payments are kept per key. */
export class VoucherProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  readonly outbox: ArrivedNotification[] = [];
  readonly secret = 'notify-secret';
  tokens = 0;
  /** Takes the first token back after so many uses. */
  usesOfFirstToken = Number.POSITIVE_INFINITY;
  #token = '';
  #uses = 0;
  readonly #references = new Map<string, { value: string; amount: string }>();
  readonly #payments = new Map<string, { id: string; reference: string }>();

  handle(request: ProviderRequest) {
    if (request.path === '/v1/authre') return this.#authenticate(request);
    this.#uses += 1;
    if (request.headers.authorization !== this.#token || (this.tokens === 1 && this.#uses > this.usesOfFirstToken))
      return reply(401, { error: 'token expired' });
    const input: Record<string, string> = request.body === '' ? {} : JSON.parse(request.body);
    if (request.path === '/v1/searchreference') return this.#search(request.query.Value ?? '');
    if (request.path === '/v1/reference') return this.#refer(input.Value ?? '', input.Amount ?? '');
    return this.#pay(request.headers['idempotency-key'] ?? '', input.Reference ?? '');
  }

  /** The payer pays at the counter. */
  payAtCounter(): void {
    for (const { id, reference } of this.#payments.values()) {
      const paid = this.#references.get(reference)?.amount ?? '';
      this.ledger.push({ effect: 'charge', reference: id, amount: paid });
      const body = JSON.stringify({ event: `e-${id}`, id, status: 'PAID', paid, currency: 'USD' });
      const signature = createHmac('sha256', this.secret).update(body).digest('hex');
      this.outbox.push({ body, headers: { 'x-signature': signature } });
    }
  }

  #authenticate({ query }: ProviderRequest) {
    if (query.key !== 'private') return reply(403, { error: 'unknown key' });
    this.tokens += 1;
    this.#token = `token-${this.tokens}`;
    this.#uses = 0;
    return reply(200, { token: this.#token });
  }

  #search(value: string) {
    const found = [...this.#references].filter(([, each]) => each.value === value);
    return reply(200, { references: found.map(([reference]) => ({ reference })) });
  }

  #refer(value: string, amount: string) {
    if ([...this.#references.values()].some((each) => each.value === value))
      return reply(409, { error: 'value taken' });
    const reference = String(8001 + this.#references.size);
    this.#references.set(reference, { value, amount });
    this.ledger.push({ effect: 'reference', reference: value, amount });
    return reply(201, { reference });
  }

  #pay(key: string, reference: string) {
    const payment = this.#payments.get(key) ?? { id: `p-${this.#payments.size + 1}`, reference };
    if (!this.#payments.has(key)) this.ledger.push({ effect: 'payment', reference, amount: '' });
    this.#payments.set(key, payment);
    const { id } = payment;
    return reply(201, { id, url: `https://voucher.example/${id}`, expires: '2026-11-24T10:00:00Z' });
  }
}

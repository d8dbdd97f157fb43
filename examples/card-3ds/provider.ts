import type { ArrivedNotification } from '@railyard/core/driver';
import { createHmac } from 'node:crypto';

import {
  type LedgerLine,
  match,
  type ProviderDouble,
  type ProviderRequest,
  reply,
} from '../support/provider-double.ts';

interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  status: 'CHALLENGE' | 'AUTHENTICATED' | 'CAPTURED' | 'REFUSED';
  cres?: string;
}

/** A card provider with its access control server. The same reference twice is two payments, unless the caller looks first. */
export class CardProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  readonly outbox: ArrivedNotification[] = [];
  /** Bodies as they arrived, to see that the card did. */
  readonly authorisations: string[] = [];
  /** Seconds since 1970 that notifications are signed at. */
  signedAt = Date.parse('2026-11-21T10:00:00Z') / 1000;
  funds = true;
  /** The challenge's result, which the payer's browser brings back. */
  cres: string | undefined;
  readonly #payments: Payment[] = [];

  handle(request: ProviderRequest) {
    if (request.headers['x-api-key'] !== 'key') return reply(401, {});
    const completed = match('/payments/{id}/complete', request.path);
    if (completed !== undefined) return this.#complete(completed.id ?? '', request.body);
    if (request.method === 'GET') {
      const known = this.#payments.filter(({ reference }) => reference === request.query.reference);
      return reply(200, { payments: known.map(asTold) });
    }
    return this.#authorise(request.body);
  }

  /** The payer arrives with a form at the access control server and proves who they are. */
  authenticate({ creq }: Readonly<Record<string, string>>): void {
    const payment = this.#payments.find(({ id }) => `creq-${id}` === creq);
    if (payment === undefined) throw new Error(`No payment for ${creq}.`);
    payment.cres = `cres-${payment.id}`;
    payment.status = 'AUTHENTICATED';
    this.cres = payment.cres;
    this.#notify(payment);
  }

  #authorise(body: string) {
    this.authorisations.push(body);
    const { reference, amount, currency, card } = JSON.parse(body);
    if (!/^\d{16}$/.test(card.number) || !/^\d{3}$/.test(card.cvv))
      return reply(402, { code: '14', message: 'No such card' });
    const payment: Payment = { id: `c-${this.#payments.length + 1}`, reference, amount, currency, status: 'CHALLENGE' };
    this.#payments.push(payment);
    this.ledger.push({ effect: 'authorise', reference, amount });
    return reply(202, challengeOf(payment));
  }

  #complete(id: string, body: string) {
    const payment = this.#payments.find((each) => each.id === id);
    if (payment === undefined || payment.cres !== JSON.parse(body).cres) return reply(404, {});
    if (payment.status === 'AUTHENTICATED') {
      payment.status = this.funds ? 'CAPTURED' : 'REFUSED';
      if (this.funds) this.ledger.push({ effect: 'charge', reference: id, amount: payment.amount });
      this.#notify(payment);
    }
    if (payment.status === 'REFUSED') return reply(402, { code: '51', message: 'Not enough money' });
    return reply(200, { amount: payment.amount, currency: payment.currency });
  }

  #notify(payment: Payment): void {
    const body = JSON.stringify(asTold(payment));
    const at = String(this.signedAt);
    const signature = createHmac('sha256', 'key').update(`${at}.${body}`).digest('base64');
    this.outbox.push({ body, headers: { 'x-signature': signature, 'x-signed-at': at } });
  }
}

const challengeOf = ({ id }: Payment) => ({ id, acs_url: 'https://acs.example/challenge', creq: `creq-${id}` });

function asTold(payment: Payment) {
  const { id, status, amount, currency, cres } = payment;
  return { id, status, amount, currency, cres, challenge: challengeOf(payment) };
}

import { type LedgerLine, type ProviderDouble, type ProviderRequest, reply } from '../support/provider-double.ts';

/** A bank in several countries, each with its own idea of who the payer is. */
export class RegionalProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  readonly documents: unknown[] = [];
  readonly #transfers = new Map<string, { id: string; amount: string; state: 'open' | 'paid' }>();

  handle({ method, path, headers, body }: ProviderRequest) {
    if (headers['x-api-key'] !== 'key') return reply(401, {});
    if (method === 'GET') {
      const known = [...this.#transfers.values()].find(({ id }) => path.endsWith(`/${id}`));
      return known === undefined ? reply(404, {}) : this.#reply(known);
    }
    const { document, reference } = JSON.parse(body);
    // The digits as they stand in the request: a parsed number would have lost them.
    const amount = /"amount":([\d.]+)/.exec(body)?.[1] ?? '';
    const key = headers['idempotency-key'] ?? '';
    const transfer = this.#transfers.get(key) ?? { id: `t-${this.#transfers.size + 1}`, amount, state: 'open' };
    if (!this.#transfers.has(key)) {
      this.documents.push(`${path} ${document?.type ?? 'none'} ${document?.number ?? ''}`.trim());
      this.ledger.push({ effect: 'order', reference, amount });
    }
    this.#transfers.set(key, transfer);
    return this.#reply(transfer);
  }

  /** The payer's bank sends the money. */
  pay(): void {
    for (const transfer of this.#transfers.values()) {
      transfer.state = 'paid';
      this.ledger.push({ effect: 'charge', reference: transfer.id, amount: transfer.amount });
    }
  }

  #reply({ id, amount, state }: { id: string; amount: string; state: string }) {
    return {
      status: 200,
      body: `{"id":"${id}","state":"${state}","amount":${amount},"currency":"USD","account":"0001-2"}`,
    };
  }
}

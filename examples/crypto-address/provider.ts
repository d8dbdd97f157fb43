import type { ArrivedNotification } from '@railyard/core/driver';
import {
  type LedgerLine,
  match,
  type ProviderDouble,
  type ProviderRequest,
  reply,
} from '../support/provider-double.ts';

interface Deposit {
  readonly address_id: string;
  readonly txid: string;
  readonly output: number;
  readonly amount: string;
  readonly asset: string;
  confirmations: number;
}

/** Watches addresses. It tells every deposit at every confirmation, sometimes twice. */
export class CryptoProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  readonly outbox: ArrivedNotification[] = [];
  readonly deposits: Deposit[] = [];
  readonly #addresses = new Map<string, string>();

  handle({ method, path, headers, body }: ProviderRequest) {
    if (headers['x-api-key'] !== 'key') return reply(401, {});
    const listed = match('/addresses/{id}/deposits', path);
    if (method === 'GET')
      return reply(200, { deposits: this.deposits.filter(({ address_id }) => address_id === listed?.id) });
    const key = headers['idempotency-key'] ?? '';
    const id = this.#addresses.get(key) ?? `ad-${this.#addresses.size + 1}`;
    if (!this.#addresses.has(key)) {
      this.#addresses.set(key, id);
      this.ledger.push({ effect: 'address', reference: JSON.parse(body).reference, amount: '' });
    }
    return reply(201, { id, address: `bc1q${id}`, network: 'bitcoin' });
  }

  /** A transaction with one output per amount. */
  deposit(txid: string, ...amounts: readonly string[]): void {
    for (const [output, amount] of amounts.entries()) {
      this.deposits.push({ address_id: 'ad-1', txid, output, amount, asset: 'BTC', confirmations: 0 });
      this.ledger.push({ effect: 'charge', reference: `${txid}:${output}`, amount });
    }
    this.#tell(txid);
  }

  /** One block more. */
  confirm(txid: string): void {
    for (const each of this.deposits) if (each.txid === txid) each.confirmations += 1;
    this.#tell(txid);
  }

  #tell(txid: string): void {
    const body = JSON.stringify({ deposits: this.deposits.filter((each) => each.txid === txid) });
    this.outbox.push({ body, headers: { 'x-webhook-secret': 'a-long-enough-secret' } });
  }
}

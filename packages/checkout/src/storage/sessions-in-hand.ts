import type { Selectable } from './schema/columns.ts';
import type { SessionsTable } from './schema/sessions.ts';

type Session = Selectable<SessionsTable>;

/** A new session has none of these yet. */
type Later = 'state' | 'livePaymentId' | 'paidPaymentId' | 'attempts' | 'closedAt' | 'erasedAt';

/** A session that was just stored, as it would be read. */
export const asStored = (
  session: Omit<Session, Later | 'createdAt' | 'expiresAt'>,
  times: Pick<Session, 'createdAt' | 'expiresAt'>,
): Session => ({
  id: session.id,
  merchantKey: session.merchantKey,
  operation: session.operation,
  orderNumber: session.orderNumber,
  tokenHash: session.tokenHash,
  requestText: session.requestText,
  hashDialect: session.hashDialect,
  hashDigest: session.hashDigest,
  test: session.test,
  payerPresence: session.payerPresence,
  state: 'open',
  livePaymentId: null,
  paidPaymentId: null,
  attempts: 0,
  createdAt: times.createdAt,
  expiresAt: times.expiresAt,
  closedAt: null,
  erasedAt: null,
});

/** Some megabytes; a payer whose session is no longer among them costs one read more. */
const MOST = 2000;

/**
 * Sessions that this process has just written or read and for which no attempt had begun, the oldest forgotten first. What is here may be out
 * of date: it is only for statements that do nothing where the session has changed since.
 */
export class SessionsInHand {
  readonly #sessions = new Map<string, Session>();

  keep(session: Session): void {
    if (session.payerPresence !== 'page' || session.state !== 'open' || session.attempts > 0) return;
    this.#sessions.delete(session.tokenHash);
    this.#sessions.set(session.tokenHash, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Gives a session away: what is done with it changes it. */
  take(tokenHash: string): Session | undefined {
    const session = this.#sessions.get(tokenHash);
    this.#sessions.delete(tokenHash);
    return session;
  }
}

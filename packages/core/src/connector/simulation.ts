/**
 * What a simulated provider must know beside endpoints, examples and status table. A connector package exports it from its
 * `./simulation` entry, so that nobody who only takes payments carries it.
 */
export interface Simulation {
  /** By endpoint name. */
  readonly endpoints: Readonly<Record<string, SimulatedEndpoint>>;
  readonly notification?: SimulatedNotification;
  /** The word of the status table for each state of a simulated payment. */
  readonly words: {
    readonly settled: string;
    readonly pending: string;
    readonly declined: string;
    /** Where the provider holds money before it is captured. */
    readonly authorized?: string;
  };
  /** How requests and replies write amounts. Default `decimal`. */
  readonly amounts?: 'decimal' | 'minor-units';
}

/**
 * What an endpoint does to money at the provider. `read` changes nothing; `renew` opens another payment like the one it names.
 */
export type SimulatedEffect =
  | 'charge'
  | 'payout'
  | 'authorize'
  | 'capture'
  | 'void'
  | 'refund'
  | 'renew'
  | 'read'
  | 'credential';

/**
 * Dotted places in a request: `body.amount`, `headers.idempotency-key`, `params.id`, `query.reference`.
 */
export interface SimulatedEndpoint {
  readonly effect: SimulatedEffect;
  readonly request: {
    /** The merchant side's own reference. */
    readonly reference?: string;
    readonly amount?: string;
    readonly currency?: string;
    /** The provider keeps one effect per value found here. */
    readonly key?: string;
    /** The provider's id of the payment that is read or acted on. */
    readonly id?: string;
  };
  /** Places of the example's body that are overwritten. */
  readonly reply: {
    readonly id?: string;
    readonly reference?: string;
    readonly status?: string;
    readonly amount?: string;
    readonly currency?: string;
  };
  /** The name of the example that the reply starts from; the first one unless given. */
  readonly example?: string;
  /** More fields of the reply body, by dotted place. Pure. */
  readonly compute?: (payment: SimulatedPayment) => Readonly<Record<string, unknown>>;
  /** The reply for a payment that the provider does not know. */
  readonly absent?: { readonly status: number; readonly body: unknown };
  /** The reply to what the payment's state does not allow, for example a capture of a declined one. */
  readonly refused?: { readonly status: number; readonly body: unknown };
}

/** A payment as the simulated provider keeps it. */
export interface SimulatedPayment {
  readonly id: string;
  readonly reference: string;
  /** Decimal text with the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  /** The provider's word. */
  readonly status: string;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** The request body that made it. */
  readonly request: unknown;
  /** A page on which the payer pays, where the provider has pages of its own. */
  readonly payerUrl: string;
}

export interface SimulatedNotification {
  /** The body for a payment; `event.id` is unique per event, `event.now` is ISO 8601 in UTC. Pure. */
  readonly body: (payment: SimulatedPayment, event: { readonly id: string; readonly now: string }) => unknown;
  /** Where the creating request carries the address for notifications, for example `body.callback_url`. */
  readonly url?: string;
  /** Header names, in lower case, and values that the signature may cover. */
  readonly headers?: (event: { readonly id: string; readonly now: string }) => Readonly<Record<string, string>>;
}

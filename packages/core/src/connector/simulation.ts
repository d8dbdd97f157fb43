/**
 * What a simulated provider must know beside endpoints, examples and status table. A connector package exports it from its
 * `./simulation` entry, so that nobody who only takes payments carries it.
 */
export interface Simulation {
  readonly endpoints: Readonly<Record<string, SimulatedEndpoint>>;
  readonly notification?: SimulatedNotification;
  /** The word of the status table for each outcome that a scenario asks for. */
  readonly words: { readonly settled: string; readonly pending: string; readonly declined: string };
}

/** What an endpoint does to money at the provider. `read` changes nothing. */
export type SimulatedEffect = 'charge' | 'payout' | 'authorize' | 'capture' | 'void' | 'refund' | 'read' | 'credential';

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
  };
  /** The name of the example that the reply starts from; the first one unless given. */
  readonly example?: string;
  /** More fields of the reply body, by dotted place. Pure. */
  readonly compute?: (payment: SimulatedPayment) => Readonly<Record<string, unknown>>;
  /** The reply for a payment that the provider does not know. */
  readonly absent?: { readonly status: number; readonly body: unknown };
}

/** A payment as the simulated provider keeps it. */
export interface SimulatedPayment {
  readonly id: string;
  readonly reference: string;
  /** Decimal text with the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly status: string;
  readonly createdAt: string;
  /** The request body that made it. */
  readonly request: unknown;
}

export interface SimulatedNotification {
  /** The body for a payment, `eventId` being unique per event. Pure. */
  readonly body: (payment: SimulatedPayment, eventId: string) => unknown;
  /** Where the payment's creating request carries the address for notifications, for example `body.callback_url`. */
  readonly url: string;
  /** Header names and values beside the signature. */
  readonly headers?: (eventId: string, now: string) => Readonly<Record<string, string>>;
}

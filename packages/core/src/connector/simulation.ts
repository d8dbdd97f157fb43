import type { ModificationFlowName } from '../payment/modifications.ts';

/**
 * The facts that a simulated provider needs besides endpoints, examples and status table. A connector package exports them from
 * its `./simulation` entry, so that a service that only takes payments does not load them.
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
    /** Where a request is answered with a page that the payer has to go to. */
    readonly challenged?: string;
    /** Where the payer has been on that page and the merchant's side has to finish the payment. */
    readonly authenticated?: string;
    /** A hold that was let go of, unless given the word for `declined`. */
    readonly released?: string;
    /** A code, an invoice or a slip that the merchant took back before it was paid, unless given the word for `declined`. */
    readonly withdrawn?: string;
    /** Money that was taken back before it was cleared, unless given the word for `declined`. */
    readonly cancelled?: string;
    /** Money that the payer's bank took back. */
    readonly disputed?: string;
    /** A dispute that the merchant has won, or lost; unless given the words for `settled` and `disputed`. */
    readonly won?: string;
    readonly lost?: string;
    /** A hold that was not captured in time, unless given the word for `released`. */
    readonly lapsed?: string;
  };
  /** The words for other effects than a charge, where they differ: `COMPLETED` of a capture, `refunded` of a refund. */
  readonly effectWords?: Readonly<Partial<Record<Exclude<SimulatedEffect, 'read' | 'credential'>, EffectWords>>>;
  /** The course that a request sets in any scenario: documented test cards. Pure. Nothing: the scenario decides. */
  readonly course?: (request: SimulatedRequest) => SimulatedCourse | undefined;
  /** Places of request bodies that are masked before anything is kept: card numbers and codes. */
  readonly hidden?: readonly `body.${string}`[];
  /** Where the provider shows pages to the payer. */
  readonly page?: SimulatedPage;
  /** The amount that the payer pays where a request leaves it to the payer, as decimal text. */
  readonly openAmount?: string;
  /** How replies and notifications write amounts; `short-decimal` is without zeros at the end. Default `decimal`. */
  readonly amounts?: 'decimal' | 'short-decimal' | 'minor-units';
  /** Decimals of currencies that the provider counts otherwise than ISO 4217, as `providerDecimals` has them. */
  readonly decimals?: Readonly<Record<string, number>>;
  /** Minor units, by currency, of which the provider takes multiples alone: Stripe wants the last of three decimals to be 0. Default 1. */
  readonly steps?: Readonly<Record<string, number>>;
  /** The currency of a request that names none, at a provider with a single one. */
  readonly currency?: string;
  /**
   * An id in the provider's own form, from a UUID that is new each time. Default: the UUID. Pure.
   *
   * @example id: (uuid, effect) => `${effect === 'refund' ? 're' : 'ch'}_${compactId(uuid)}`
   */
  readonly id?: (uuid: string, effect: SimulatedEffect) => string;
}

/** The words for the states of an effect; those that are absent are the payment's own. */
export type EffectWords = Readonly<Partial<Record<'settled' | 'pending' | 'declined' | 'authorized', string>>>;

/** Places of a request and the texts that they must have: one, one of several, or `true` for any. */
export type SimulatedWhere = Readonly<Record<string, string | readonly string[] | true>>;

/** A request as a course sees it, before anything is masked. Header names are lower case. */
export interface SimulatedRequest {
  readonly endpoint: string;
  readonly body: unknown;
  readonly params: Readonly<Record<string, string>>;
}

/** The course of a payment that a request opens. */
export type SimulatedCourse =
  | {
      readonly starts: 'settled' | 'declined' | 'challenged';
      /** The end of the payer's page, where the payment starts there. */
      readonly leadsTo?: 'settled' | 'declined';
      /** `merchant`: after the page the payment waits for an endpoint with the effect `complete`. Default `payer`. */
      readonly finishedBy?: 'payer' | 'merchant';
      /** Actions on the payment that will be declined. */
      readonly declines?: readonly ('capture' | 'refund')[];
    }
  /** Refused before there is a payment. */
  | { readonly refused: { readonly status: number; readonly body: unknown } };

export interface SimulatedPage {
  /**
   * Where the creating request carries the address that the payer goes back to, for example `body.return_url`; or the query of the page's
   * address, `query.redirect_uri`.
   */
  readonly returnUrl: string;
  /** The id of the payment in the query of the page's address, where the merchant's side makes that address. Pure. */
  readonly payment?: (query: Readonly<Record<string, string>>) => string | undefined;
  /** The values that the payer brings back in the address's query. Pure. */
  readonly values?: (payment: SimulatedPayment) => Readonly<Record<string, string>>;
  /** The values as the provider signs them. */
  readonly signed?: (
    values: Readonly<Record<string, string>>,
    asked: SimulatedVisit,
  ) => Readonly<Record<string, string>>;
  /** Whether the values stand behind the `#` of the address. */
  readonly inFragment?: (query: SimulatedVisit['query']) => boolean;
}

/** The query with which the payer came to the page, and the time, in milliseconds since 1970. */
export interface SimulatedVisit {
  readonly query: Readonly<Record<string, string>>;
  readonly now: number;
}

/** The flows of modifications, and `cancel`, which is the other half of a `void`. */
export type ModificationEffect = ModificationFlowName | 'cancel';

/**
 * The effect of an endpoint on money at the provider. `void` releases a hold, `cancel` takes settled money back before it is
 * cleared, `complete` finishes what the payer's page began, `renew` opens another payment like the one it names, `withdraw` ends one that
 * waits for its payer, `read` changes nothing; one that names no payment (a list of banks) is answered with its example.
 */
export type SimulatedEffect =
  | 'charge'
  | 'payout'
  | 'authorize'
  | ModificationEffect
  | 'complete'
  | 'renew'
  | 'withdraw'
  | 'read'
  | 'credential';

/**
 * Dotted places in a request: `body.amount`, `headers.idempotency-key`, `params.id`, `query.reference`.
 */
export interface SimulatedEndpoint {
  /** Which requests are for it, where several endpoints share one method and path. */
  readonly where?: SimulatedWhere;
  /** Deviations for some requests: one path that charges, refunds or reverses by a word in the body. The first that fits counts. */
  readonly cases?: readonly (Partial<Omit<SimulatedEndpoint, 'where' | 'cases'>> & {
    readonly where: SimulatedWhere;
  })[];
  readonly effect: SimulatedEffect;
  /** Of `complete`: the request brings the payer's own answer, a code, so that no page of the provider comes before it. */
  readonly bringsCode?: true;
  /**
   * Of a `charge` or an `authorize`: what it opens moves nothing before an endpoint with the effect `complete`, or before the payer approves it
   * at an address that its reply alone names, so that it may be `safe`.
   */
  readonly prepares?: true;
  /**
   * Lookups find what it did by nothing but an id that its reply names: where that reply was lost and the repeat is refused, the payment
   * stays in doubt.
   */
  readonly namedByReply?: true;
  /** Of a `void`: it withdraws a payment that still waits for its payer as well, because the provider has one call for both. */
  readonly withdraws?: true;
  /** Of a `refund`: neither a lookup of the payment nor a notification names one that was made at the provider itself. */
  readonly unreported?: true;
  /** Of a `read`: it answers about a disputed payment as before the dispute, which a notification alone tells. */
  readonly hidesDisputes?: true;
  readonly request: {
    /** The merchant side's own reference. */
    readonly merchantReference?: string;
    /** Where it stands within the text of that place, a search's query for example: the first group. */
    readonly merchantReferenceIn?: RegExp;
    readonly amount?: string;
    readonly currency?: string;
    /** The provider keeps one effect per value found here. */
    readonly key?: string;
    /** The provider's id of the payment that is read or acted on, or of an action on it: the capture that is refunded. */
    readonly id?: string;
    /** Where the payment's own id stands within the text of that place, an id that is made of it for example: the first group. */
    readonly idIn?: RegExp;
    /**
     * Of an action on a payment, or its lookup: the provider's id of the action, and the merchant side's own reference. A lookup that names
     * a payment at the same place finds either.
     */
    readonly modification?: string;
    readonly modificationReference?: string;
    /** Of a question whether a notification is the provider's own (`scheme: 'call'`): its proof, one of the headers or each of them, and its body. */
    readonly proof?: string | readonly string[];
    readonly notification?: string;
  };
  /** Places of the example that are overwritten: in its body, or `headers.<name>` where the example has headers. */
  readonly reply: {
    readonly id?: string;
    readonly merchantReference?: string;
    readonly status?: string;
    readonly amount?: string;
    readonly currency?: string;
    /** Of an action: its id, reference and word. `amount` is then the action's. */
    readonly modification?: string;
    readonly modificationReference?: string;
    readonly modificationStatus?: string;
    /** The provider's free text, which some scenarios replace by odd words. */
    readonly text?: string;
  };
  /** Examples for payments in other states than the first example shows, by state. */
  readonly examples?: Readonly<Partial<Record<'pending' | 'challenged' | 'declined', string>>>;
  /** The name of the example that the reply starts from; the first one unless given. */
  readonly example?: string;
  /** More fields of the reply body, by dotted place; of an action on a payment or its lookup with the action. Pure. */
  readonly compute?: (
    payment: SimulatedPayment,
    modification?: SimulatedModification,
  ) => Readonly<Record<string, unknown>>;
  /** More fields of the reply of an endpoint that names no payment, by dotted place: the token of a card. Pure. */
  readonly answers?: (request: SimulatedRequest) => Readonly<Record<string, unknown>>;
  /** The body of the reply of an endpoint that lists payments or their actions, the youngest last; those that lookups lag behind are left out. Pure. */
  readonly lists?: (all: SimulatedList) => unknown;
  /** The reply for a payment that the provider does not know, or a notification that it did not send. */
  readonly absent?: { readonly status: number; readonly body: unknown };
  /** The reply to what the payment's state does not allow, for example a capture of a declined one. */
  readonly refused?: { readonly status: number; readonly body: unknown };
  /** The reply to a key or reference that was used before, where a scenario refuses that; `refused` unless given. */
  readonly used?: { readonly status: number; readonly body: unknown };
}

/** Everything that the simulated provider has of one account. */
export interface SimulatedList {
  readonly payments: readonly SimulatedPayment[];
  readonly actions: readonly { readonly action: SimulatedModification; readonly payment: SimulatedPayment }[];
}

/** A payment as the simulated provider keeps it. */
export interface SimulatedPayment {
  readonly id: string;
  readonly merchantReference: string;
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
  /** Its captures, voids and refunds, in their order: at some providers the reply about a payment lists them. */
  readonly modifications: readonly SimulatedModification[];
  /** In their order, where the reply about a payment tells of them. */
  readonly disputes: readonly SimulatedDispute[];
}

/** A dispute of all that was paid, as the simulated provider keeps it. */
export interface SimulatedDispute {
  /** A UUID: the provider's own form is made of it. */
  readonly id: string;
  /** As `SimulatedPayment.amount`. */
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
  /** Absent while the bank has not decided. */
  readonly result?: 'won' | 'lost' | undefined;
}

/** A capture, void or refund as the simulated provider keeps it. */
export interface SimulatedModification {
  readonly id: string;
  readonly effect: ModificationEffect;
  /** The merchant side's own reference of it. */
  readonly merchantReference: string;
  /** As `SimulatedPayment.amount`. */
  readonly amount: string;
  readonly currency: string;
  /** The provider's word. */
  readonly status: string;
  readonly createdAt: string;
}

export interface SimulatedNotification {
  /** Default `POST`. */
  readonly method?: 'POST' | 'PUT';
  /** The body for a payment; `event.id` is unique per event, `event.now` is ISO 8601 in UTC. `undefined`: the provider does not report this state. Pure. */
  readonly body: (payment: SimulatedPayment, event: { readonly id: string; readonly now: string }) => unknown;
  /**
   * The body for a capture, void or refund that settled, was declined or failed later; `undefined` for one that the provider does not report.
   * Nothing: the provider reports none of them, or the payment's body says it. Pure.
   */
  readonly modification?: (
    modification: SimulatedModification,
    payment: SimulatedPayment,
    event: { readonly id: string; readonly now: string },
  ) => unknown;
  /**
   * Where the creating request carries the address for notifications, for example `body.callback_url`. Nothing: it is set at the provider,
   * and the simulator is given it as `notifyUrl`.
   */
  readonly url?: string;
  /** Header names, in lower case, and values that the signature may cover. */
  readonly headers?: (event: { readonly id: string; readonly now: string }) => Readonly<Record<string, string>>;
}

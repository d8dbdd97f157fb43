import type * as z from 'zod';
import type { Money } from '../money/money.ts';
import type { PaymentFacts } from '../payment/facts.ts';
import type { ModificationFlowName } from '../payment/modifications.ts';
import type { Outcome, ProviderWord } from './outcome.ts';
import type { FurtherProof, NotificationVerification } from './proof.ts';
import type { RawNotification } from './raw-notification.ts';
import type { Codec } from './wire.ts';

interface EventBase {
  /** Unique at the provider for its kind, in notifications and lookups alike; the same event twice has one effect. */
  readonly id: string;
  /** The provider's reference of the payment, one of those that outcomes gave. */
  readonly providerReference: string;
  /** Our own reference, if the provider repeats it: finds a payment whose creating call was never answered. */
  readonly merchantReference?: string | undefined;
  readonly provider?: ProviderWord;
}

/** One event that a notification or a lookup reports. A notification may report several. */
export type ProviderEvent =
  | (EventBase & { readonly kind: 'payment'; readonly outcome: Outcome })
  /**
   * Money that arrived at an address or a reusable voucher; several per payment. `rejected`: it did not stay there. One that counted
   * before is then set aside for a person.
   */
  | (EventBase & {
      readonly kind: 'deposit';
      readonly amount: Money;
      readonly confirmed: boolean;
      readonly rejected?: true;
      /**
       * The provider's last word about the deposits before it: they are enough, also where they are less than was asked for. It is told
       * after them, under an id of its own, and brings no money: its amount is 0.
       */
      readonly enough?: true;
    })
  /**
   * A refund, ours or one made at the provider; `outcome.providerReference` is the refund's own, the same as its flow answers. One that
   * took place and then fails is `declined`. In a notification, one that is `unknown` has the payment looked up.
   */
  | (EventBase & { readonly kind: 'refund'; readonly outcome: Outcome })
  /** A capture, or a void of settled or held money, that settles or fails after its call was answered; the outcome is its own, not the payment's. */
  | (EventBase & { readonly kind: Exclude<ModificationFlowName, 'refund'>; readonly outcome: Outcome })
  /** The payer disputed the payment; with `result` the dispute is over, and the merchant has won or lost it. */
  | (EventBase & { readonly kind: 'chargeback'; readonly amount: Money; readonly result?: 'won' | 'lost' })
  /**
   * The payment is over, in a word that the provider has for payments which waited and for holds alike: `outcome` is the decline of one that
   * waited, and a hold is let go of.
   */
  | (EventBase & { readonly kind: 'ended'; readonly outcome: Outcome })
  /** A hold was not captured in time: the provider let go of it. */
  | (EventBase & { readonly kind: 'hold-expired' })
  /** Facts that became known after the outcome, and nothing else. */
  | (EventBase & { readonly kind: 'facts'; readonly facts: PaymentFacts })
  /** The provider or the bank took the whole payment back, or let go of a hold. */
  | (EventBase & { readonly kind: 'reversal'; readonly amount: Money })
  /** The values that end a visit, reported by the provider instead of the payer's browser. */
  | (EventBase & { readonly kind: 'returned'; readonly values: Readonly<Record<string, string>> });

/**
 * The key that a host stores to give the same event one effect. A deposit is reported several times under one id (unconfirmed,
 * confirmed, perhaps rejected, enough at last), and so is a chargeback (disputed, then won or lost): these are events of their own.
 */
export function eventKey(event: ProviderEvent): string {
  return `${event.kind}/${event.id}${stageOf(event)}`;
}

function stageOf(event: ProviderEvent): string {
  if (event.kind === 'chargeback') return event.result === undefined ? '' : `/${event.result}`;
  if (event.kind !== 'deposit') return '';
  if (event.enough === true) return '/enough';
  if (event.rejected === true) return '/rejected';
  return event.confirmed ? '' : '/unconfirmed';
}

/** A notification byte for byte, with the made-up secret that proves it: as the provider's documentation shows it, or as its own library makes it. */
export interface ProofVector {
  readonly body: string;
  /** Those on which the proof depends; names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The address at which it arrives, where that is signed. */
  readonly url?: string;
  /** The settings with the secret, in the place of the account's. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** ISO 8601: when it arrives, where its time is signed. */
  readonly at?: string;
  readonly source: string;
}

interface Acknowledgement<B> {
  readonly status: number;
  readonly body?: string;
  /** A body that is made of the notification: Robokassa wants `OK` and the number of the invoice. It counts in place of `body`. */
  bodyFor?(body: B, raw: RawNotification): string;
}

interface NotificationFacts<S, B> {
  readonly verify: NotificationVerification<S>;
  /** Proofs that each notification carries besides, in other headers: all of them must hold. */
  readonly also?: readonly FurtherProof<S>[];
  /**
   * Proof of `verify` without the simulation, which signs by the same declaration: vectors that the provider signed, or why there are none.
   */
  readonly vectors?: readonly ProofVector[] | { readonly none: string };
  /**
   * How the provider learns where to send them: each request carries `urls.notify`, or the address was set at the provider, in its console or
   * by a set-up call. Default `in-requests`.
   */
  readonly address?: 'in-requests' | 'at-provider';
  /**
   * A list whose parts stand for themselves, as a dotted place with `*`: `pix.*`. Each part is read alone, as a body that has no other, so
   * that one which is not understood keeps back no other. The parts that are signed one by one (`verify.each`) need no such word.
   */
  readonly items?: string;
  /**
   * None for what is not ours and for what moves no money; it is then acknowledged and forgotten. What throws, or does not fit `body`, is
   * acknowledged and kept for an operator.
   *
   * Method syntax, so that connectors of different bodies fit in one list. `raw` has the headers, the path and the query.
   */
  events(body: B, context: { readonly settings: S; readonly raw: RawNotification }): readonly ProviderEvent[];
  /**
   * The answer to a request by which the provider tries the address before it sends anything: a value of the request, of a header or of the
   * query for example. It is answered 200 before any proof, reports nothing and is kept nowhere. `undefined`: it is a notification.
   *
   * @example addressCheck: ({ method, headers }) => (method === 'GET' ? headers['x-gcs-webhooks-endpoint-verification'] : undefined)
   */
  addressCheck?(raw: RawNotification, context: { readonly settings: S }): string | undefined;
  /** The reply that the provider expects once the notification is stored. Default 200 without a body. */
  readonly acknowledge?: Acknowledgement<B>;
}

export interface Notifications<S, B> extends NotificationFacts<S, B> {
  readonly codec: Codec;
  readonly body: z.ZodType<B>;
  /** A notification as the provider documents it. */
  readonly examples?: readonly { readonly body: unknown; readonly source: string }[];
}

/** Notifications of a provider whose API says the codec, and the source of examples. */
export interface ApiNotifications<S, B> extends NotificationFacts<S, B> {
  readonly codec?: Codec;
  readonly body: z.ZodType<B>;
  readonly examples?: readonly { readonly body: unknown; readonly source?: string }[];
}

/**
 * Makes the function that declares notifications, with settings and body typed from their schemas.
 *
 * @example notificationsFor(settings)({ verify: …, codec: 'json', body: z.object({ … }), events: (body) => [ … ] })
 */
export function notificationsFor<S extends z.ZodObject>(_settings: S) {
  return <B extends z.ZodType>(
    declared: Notifications<z.output<S>, z.output<B>> & { readonly body: B },
  ): Notifications<z.output<S>, z.output<B>> => declared;
}

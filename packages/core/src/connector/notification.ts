import type * as z from 'zod';
import type { Money } from '../money/money.ts';
import type { PaymentFacts } from '../payment/facts.ts';
import type { Outcome, ProviderWord } from './outcome.ts';
import type { Codec, DigestName } from './wire.ts';

/** A notification as it arrived. */
export interface RawNotification {
  /** Upper case. */
  readonly method: string;
  /** The address as the provider calls it, with its query. */
  readonly url: string;
  /** Of the address the part behind that of the MID, as sent: empty, or `/pix` for instance. */
  readonly path: string;
  /** The query's parameters; of those with one name the first. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly body: string;
}

/** The parts of a notification that a host has; the rest follows from them. Without a method it is a POST. */
export type ArrivedNotification = Pick<RawNotification, 'body' | 'headers'> &
  Partial<Pick<RawNotification, 'method' | 'url' | 'path' | 'bytes'>>;

/** A notification with all its parts. */
export function rawNotification(arrived: ArrivedNotification): RawNotification {
  const { body, headers, method = 'POST', url = '', path = '', bytes = new TextEncoder().encode(body) } = arrived;
  const at = url.indexOf('?');
  // Reversed, so that the first of one name is written last.
  const query = Object.fromEntries(at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))].toReversed());
  return { method: method.toUpperCase(), url, path, query, headers, bytes, body };
}

/**
 * How a notification proves that the provider sent it. Checked over the raw bytes, before anything is parsed.
 * Functions of settings use method syntax, so that connectors of different settings fit in one list.
 */
export type NotificationVerification<S> =
  | {
      readonly scheme: 'hmac';
      readonly algorithm: DigestName;
      readonly header: string;
      readonly encoding: 'hex' | 'base64';
      /** One key, or several while the merchant rotates them: a signature by any of them counts. Bytes where the provider gives the key encoded. */
      key(settings: S): string | Uint8Array | readonly (string | Uint8Array)[];
      /** Text before the signature in its header, `sha256=` for example. */
      readonly prefix?: string;
      /**
       * The header is a list: the items that begin with `prefix` are signatures, and one genuine one is enough. Stripe's `t=…,v1=…,v1=…` has
       * the separator `,` and the prefix `v1=`; Standard Webhooks' `v1,… v1,…` a blank and `v1,`.
       */
      readonly separator?: string;
      /** The signed text or bytes; the body's bytes unless given. */
      readonly over?: (raw: RawNotification) => string | Uint8Array;
      /** Refuses a notification whose signed time is further away than this. `read` gives seconds since 1970. */
      readonly timestamp?: {
        readonly read: (raw: RawNotification) => number | undefined;
        readonly toleranceSeconds: number;
      };
    }
  | {
      readonly scheme: 'rsa';
      readonly algorithm: DigestName;
      readonly header: string;
      readonly encoding: 'hex' | 'base64';
      /** The provider's public key in PEM. */
      key(settings: S): string;
      readonly over?: (raw: RawNotification) => string | Uint8Array;
    }
  /** The header carries a secret as it is. */
  | { readonly scheme: 'shared-secret'; readonly header: string; value(settings: S): string }
  /** Nothing is signed: the notification is only a hint, and `status` is asked before anything changes. */
  | { readonly scheme: 'unsigned'; readonly confirm: 'status' };

/** The keys of an HMAC as a list; the first is the one that a provider signs with. */
export function hmacKeys<S>(
  verification: Extract<NotificationVerification<S>, { readonly scheme: 'hmac' }>,
  settings: S,
): readonly (string | Uint8Array)[] {
  const key = verification.key(settings);
  return typeof key === 'string' || key instanceof Uint8Array ? [key] : key;
}

interface EventBase {
  /** Unique at the provider for its kind, in notifications and lookups alike; the same event twice has one effect. */
  readonly id: string;
  /** The provider's reference of the payment, one of those that outcomes gave. */
  readonly providerReference: string;
  /** Our own reference, if the provider repeats it: finds a payment whose creating call was never answered. */
  readonly merchantReference?: string;
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
    })
  /**
   * A refund, ours or one made at the provider; `outcome.providerReference` is the refund's own, the same as its flow answers. One that
   * took place and then fails is `declined`.
   */
  | (EventBase & { readonly kind: 'refund'; readonly outcome: Outcome })
  /** A capture, or a void of settled or held money, that settles or fails after its call was answered; the outcome is its own, not the payment's. */
  | (EventBase & { readonly kind: 'capture' | 'void'; readonly outcome: Outcome })
  /** The payer disputed the payment; with `result` the dispute is over, and the merchant has won or lost it. */
  | (EventBase & { readonly kind: 'chargeback'; readonly amount: Money; readonly result?: 'won' | 'lost' })
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
 * confirmed, perhaps rejected), and so is a chargeback (disputed, then won or lost): these are events of their own.
 */
export function eventKey(event: ProviderEvent): string {
  return `${event.kind}/${event.id}${stageOf(event)}`;
}

function stageOf(event: ProviderEvent): string {
  if (event.kind === 'chargeback') return event.result === undefined ? '' : `/${event.result}`;
  if (event.kind !== 'deposit') return '';
  if (event.rejected === true) return '/rejected';
  return event.confirmed ? '' : '/unconfirmed';
}

export interface Notifications<S, B> {
  readonly verify: NotificationVerification<S>;
  readonly codec: Codec;
  readonly body: z.ZodType<B>;
  /** Method syntax, so that connectors of different bodies fit in one list. `raw` has the headers, the path and the query. */
  events(body: B, context: { readonly settings: S; readonly raw: RawNotification }): readonly ProviderEvent[];
  /** The reply that the provider expects once the notification is stored. Default 200 without a body. */
  readonly acknowledge?: { readonly status: number; readonly body?: string };
  /** A notification as the provider documents it. */
  readonly examples?: readonly { readonly body: unknown; readonly source: string }[];
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

import type { PayerText } from '../payer-text.ts';
import type * as z from 'zod';
import type { Option } from '../method/field.ts';
import { anyEndpoint, type CallEffect, type CredentialEffect, type Endpoint } from './endpoint.ts';
import type { JwsAlgorithm } from './wire.ts';

interface TurnBack {
  /**
   * `true`: whatever was sent before, no money moves until the flow goes on from here, so the payer may still turn back and pay another
   * way: 3-D Secure before the payment is completed, a code without which nothing is charged. Not for a bank's page where the payer pays.
   */
  readonly mayTurnBack?: boolean;
}

/** A question to the payer. Field labels and inputs come from the schema's `field` records. */
export interface CollectEffect extends TurnBack {
  readonly kind: 'collect';
  readonly step: string;
  readonly fields: z.ZodObject;
  /** Choices per field name; an answer outside them is refused. */
  readonly options?: Readonly<Record<string, readonly Option[]>>;
  /** Why it is asked again, in words for the payer. */
  readonly error?: PayerText | undefined;
  /** `true`: the payer may ask for the code to be sent again. */
  readonly resend?: boolean;
}

/**
 * The signed request object of an OAuth authorisation (RFC 9101): a JWT of the visit's fields and these claims. The runtime adds `iat`, `nbf`,
 * `exp`, `jti` and `nonce`.
 */
export interface RequestObject {
  readonly algorithm: JwsAlgorithm;
  /** The private key in PEM. */
  readonly key: string;
  readonly keyId: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The way in which an authorisation signs what the payer brings back: FAPI 1.0 Advanced, 5.2.2, takes no other. `response` is a JWT of all
 * values (JARM, `response_mode=jwt`). `id_token` is a JWT beside them that has the digests of `code` and `state` (`code id_token`); a refusal
 * has none there, carries no code and moves nothing.
 */
export interface SignedAnswer {
  readonly by: 'response' | 'id_token';
  /** The provider's keys, as its JWK Set has them: RFC 7517. */
  readonly keys: readonly JsonWebKey[];
  readonly issuer: string;
  readonly audience: string;
}

/** A public key as JSON: RFC 7517, 4. */
export interface JsonWebKey {
  readonly kty: string;
  readonly [parameter: string]: unknown;
}

/**
 * Why a payer is sent away. `authenticate`: they prove to their bank that the card is theirs (3-D Secure); `approve`: they agree to a payment
 * that the merchant's side completes; `pay`: they pay there. Merchants read it as the status `3DS` or `REDIRECT` of a command's answer.
 */
export type VisitPurpose = 'authenticate' | 'approve' | 'pay';

/** The payer is sent away and comes back. */
export interface VisitEffect extends TurnBack {
  readonly kind: 'visit';
  readonly step: string;
  readonly purpose: VisitPurpose;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Fields of the POST form, or of the query. */
  readonly fields: Readonly<Record<string, string>>;
  /** One more field, `request`, in which the runtime signs the others. */
  readonly requestObject?: RequestObject;
  /** The runtime checks the signature, the visit's `state` and its `nonce`; what fails ends no visit. */
  readonly signedAnswer?: SignedAnswer;
  /** Under this reference a notification or a poll finds the payment meanwhile. */
  readonly reference: string;
  /** The values that end the visit, from the payer's browser or from a notification. They are a hint, not a proof. */
  readonly until: z.ZodObject;
}

export type Effect = CallEffect | CredentialEffect | CollectEffect | VisitEffect;

/** A flow in progress: yields effects as plain data, ends with T. */
export type Steps<T> = Generator<Effect, T, unknown>;

function* perform<R>(effect: Effect): Steps<R> {
  // The driver answers an effect with a value that has passed the effect's own schema; a generator cannot express that pairing.
  return (yield effect) as R;
}

/**
 * A credential of the MID: kept in memory with its lifetime, one for each input (a scope), renewed once after a 401, never written down.
 *
 * @example const { access_token } = yield* credential(token, 'payments');
 */
export function credential<S, R>(endpoint: Endpoint<S, void, R>): Steps<R>;
export function credential<S, R>(endpoint: Endpoint<S, string | void, R>, input: string): Steps<R>;
export function credential<S, I, R>(endpoint: Endpoint<S, I, R>, input?: I): Steps<R> {
  return perform<R>({ kind: 'credential', endpoint: anyEndpoint(endpoint), input });
}

/** The answer to a question with `resend`. */
export type CollectResult<V> = { readonly resend: false; readonly values: V } | { readonly resend: true };

type Question<F extends z.ZodObject> = Omit<CollectEffect, 'kind' | 'step' | 'fields' | 'resend'> & {
  readonly fields: F;
  readonly step?: string;
};

/**
 * Asks the payer on the page; the flow may go on in another process, days later.
 *
 * @example const { code } = yield* collect({ fields: z.strictObject({ code: field(z.string(), { label: 'Code' }) }) });
 */
export function collect<F extends z.ZodObject>(
  question: Question<F> & { readonly resend: true },
): Steps<CollectResult<z.output<F>>>;
export function collect<F extends z.ZodObject>(question: Question<F> & { readonly resend?: false }): Steps<z.output<F>>;
export function collect(question: Question<z.ZodObject> & { readonly resend?: boolean }): Steps<unknown> {
  return perform({ ...question, kind: 'collect', step: question.step ?? 'collect' });
}

/**
 * Sends the payer to another page (3-D Secure, a bank) and gets what comes back.
 *
 * @example const back = yield* visit({ purpose: 'authenticate', url, method: 'POST', fields: { PaReq }, reference: id, until: z.object({ PaRes: z.string() }) });
 */
export function visit<F extends z.ZodObject>(
  to: Omit<VisitEffect, 'kind' | 'step' | 'until' | 'method' | 'fields'> & {
    readonly until: F;
    readonly step?: string;
    readonly method?: 'GET' | 'POST';
    readonly fields?: Readonly<Record<string, string>>;
  },
): Steps<z.output<F>> {
  return perform<z.output<F>>({ method: 'GET', fields: {}, step: 'visit', ...to, kind: 'visit' });
}

import type { Steps } from './flow.ts';
import type { RawNotification } from './raw-notification.ts';
import type { DigestName, JwsAlgorithm } from './wire.ts';

/** A secret, or a public key in PEM. Bytes where the provider gives it encoded; a public key is then in DER, one for Ed25519 perhaps bare. */
export type ProofKey = string | Uint8Array;

/** One, or several while the merchant or the provider rotates them: a proof by any of them counts. */
export type OneOrSeveral<T> = T | readonly T[];

/** The digest of a text, in the place of the text itself: `{ digest: 'sha256', of: bytes, encoding: 'base64' }`. */
interface Digested {
  readonly digest: DigestName;
  readonly of: string | Uint8Array;
  readonly encoding: Encoding;
}

type Encoding = 'hex' | 'base64' | 'base64url';

/** Signed text or bytes; several parts are signed as they follow one another. */
export type SignedText = OneOrSeveral<string | Uint8Array | Digested>;

/** The values of which a signed text is made, besides the notification. */
export interface SignedFrom<S> {
  readonly settings: S;
  /** The signed time as it is written, where the proof declares `timestamp`; else empty. */
  readonly time: string;
  /** The part of the body that carries the signature, where it stands in a field. */
  readonly item: unknown;
}

/** A header with one signature, or with a list of them. */
export interface HeaderPlace {
  readonly header: string;
  /** Text before the signature, `sha256=` for example. */
  readonly prefix?: string;
  /**
   * The header is a list: the items that begin with `prefix` are signatures, and one genuine one is enough. Stripe's `t=…,v1=…,v1=…` has
   * the separator `,` and the prefix `v1=`; Standard Webhooks' `v1,… v1,…` a blank and `v1,`.
   */
  readonly separator?: string;
  readonly field?: never;
}

/** A field of the body. */
export interface FieldPlace {
  /** Dotted, from the part that is signed: `additionalData.hmacSignature`. */
  readonly field: string;
  /** Where the signed parts are, `*` for each of a list: every one of them must be proven. The body itself unless given. */
  readonly each?: string;
  readonly header?: never;
  readonly prefix?: never;
  readonly separator?: never;
}

/** The time that is signed: a notification from further away is a replay. */
export type SignedTime = (
  | { readonly header: string }
  /** Of the list in which the signature stands, the item that begins so: `t=`. */
  | { readonly item: string }
) & {
  /** `iso` is ISO 8601. Default `seconds`, since 1970. */
  readonly unit?: 'seconds' | 'milliseconds' | 'iso';
  readonly toleranceSeconds: number;
};

/** `confirm: 'status'`: the proof does not cover what the body says, so its events are hints and `status` is asked. */
interface Confirmed {
  readonly confirm?: 'status';
}

/** Functions of settings use method syntax, so that connectors of different settings fit in one list. */
interface Signature<S> extends Confirmed {
  readonly encoding: Encoding;
  /** Of an HMAC the secret, of a digest the secret that `over` puts into the text, else the provider's public key. */
  key(settings: S): OneOrSeveral<ProofKey>;
  readonly timestamp?: SignedTime;
}

/** The signed text is the body, byte for byte, unless given. Nothing: the notification is none that is signed. */
type InHeader<S> = HeaderPlace & { over?(raw: RawNotification, from: SignedFrom<S>): SignedText | undefined };

type Placed<S> =
  | InHeader<S>
  | (FieldPlace & { over(raw: RawNotification, from: SignedFrom<S>): SignedText | undefined });

type Algorithm<S> =
  | { readonly scheme: 'hmac'; readonly algorithm: DigestName }
  /** A hash of a text that has the secret in it, which proves nothing without. */
  | {
      readonly scheme: 'digest';
      readonly algorithm: DigestName;
      over(raw: RawNotification, from: SignedFrom<S>): SignedText | undefined;
    }
  | { readonly scheme: 'rsa'; readonly algorithm: DigestName; readonly padding?: 'pkcs1' | 'pss' }
  /** On the curve P-256. `raw`: two numbers side by side, as JOSE and WebCrypto write them. */
  | { readonly scheme: 'ecdsa'; readonly algorithm: DigestName; readonly format: 'der' | 'raw' }
  | { readonly scheme: 'ed25519' };

export type SignatureProof<S> = Signature<S> & Placed<S> & Algorithm<S>;

/** A detached JSON Web Signature in a header: RFC 7515, appendix F, and RFC 7797. */
export interface JwsProof<S> extends Confirmed {
  readonly scheme: 'jws';
  readonly header: string;
  /** Those that may sign. */
  readonly algorithms: readonly [JwsAlgorithm, ...JwsAlgorithm[]];
  /** By `kid`. */
  keys(settings: S): Readonly<Record<string, ProofKey>>;
  /** Fields of the protected header that must have these values; `crit` may name them. */
  claims?(settings: S): Readonly<Record<string, string>>;
  /** The field of the protected header that has the time, in seconds since 1970; `crit` may name it. */
  readonly timestamp?: { readonly claim: string; readonly toleranceSeconds: number };
  /** The provider signs the text without Base64 (`b64: false`). Both forms are read; a simulation signs this one. */
  readonly unencoded?: boolean;
  over?(raw: RawNotification, from: SignedFrom<S>): SignedText | undefined;
}

/** A secret that arrives as it is. */
export type TokenProof<S> = Confirmed &
  (
    | (HeaderPlace & { readonly scheme: 'shared-secret'; value(settings: S): OneOrSeveral<string> })
    /** RFC 7617. */
    | {
        readonly scheme: 'basic';
        credentials(settings: S): OneOrSeveral<{ readonly user: string; readonly password: string }>;
      }
    /**
     * Mutual TLS ends at a proxy, which says in a header whose certificate it saw: a fingerprint or a subject. It counts only from a proxy
     * that the operator's configuration names, and that proxy must remove the header from what it is sent.
     */
    | (HeaderPlace & { readonly scheme: 'client-certificate'; value(settings: S): OneOrSeveral<string> })
  );

/** The provider is asked whether it sent the notification. */
export interface CallProof<S> extends Confirmed {
  readonly scheme: 'call';
  /** The headers that carry the provider's own proof. */
  readonly headers: readonly string[];
  /** Calls of endpoints that are `safe`; `true`: the provider sent it. */
  steps(raw: RawNotification, context: { readonly settings: S }): Steps<boolean>;
}

/** How a notification proves that the provider sent it. Checked over the bytes as they arrived, before anything is read from them. */
export type NotificationVerification<S> =
  | SignatureProof<S>
  | JwsProof<S>
  | TokenProof<S>
  | CallProof<S>
  /** Nothing is signed: the notification is only a hint, and `status` is asked before anything changes. */
  | { readonly scheme: 'unsigned'; readonly confirm: 'status' };

/** A proof that a notification carries beside another one: in a header, and checked without a question to the provider. */
export type FurtherProof<S> = ((Signature<S> & InHeader<S> & Algorithm<S>) | JwsProof<S> | TokenProof<S>) & {
  /** Events are hints where the first proof says so, which is `verify`. */
  readonly confirm?: never;
};

/** One or several as a list. */
export function listOf<T extends string | Uint8Array | object>(given: OneOrSeveral<T>): readonly T[] {
  return isList(given) ? given : [given];
}

function isList<T>(given: OneOrSeveral<T>): given is readonly T[] {
  return Array.isArray(given);
}

import type { JsonNumberLiteral } from '../money/json-number.ts';
import type { CardHandle } from './card-handle.ts';

/** A leaf of a request body. `undefined` leaves the field out. */
export type WireLeaf = string | number | boolean | null | undefined | CardHandle | JsonNumberLiteral;
export type WireValue = WireLeaf | readonly WireValue[] | { readonly [name: string]: WireValue };

/** How a body is written and a reply is read. */
export type Codec = 'json' | 'form' | 'xml' | 'text' | 'none';

export type DigestName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** The parts of a request that a signature may cover, as it will leave, card parts filled in. */
export interface SignedParts {
  readonly method: string;
  /** Path with its query, as sent. */
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** When and for which step a request is signed. A builder does not see the time, so that a repeat has the same body. */
export interface SigningMoment {
  /** Seconds since 1970, when the request leaves. */
  readonly now: number;
  /** For a `jti` or a nonce: a UUID, the same for every send of a step and another for every other step; of a credential never the same. */
  readonly id: string;
}

interface Signed {
  /** Headers that leave with the signature and that it may cover: a time, a nonce. */
  readonly headers?: (moment: SigningMoment) => Readonly<Record<string, string>>;
  readonly into: { readonly header: string; readonly prefix?: string } | { readonly field: string };
}

/** `digest` hashes what `over` returns (append the key there), `hmac` and `rsa` use `key`. */
export interface PlainSigning extends Signed {
  readonly scheme: 'hmac' | 'rsa' | 'digest';
  readonly algorithm: DigestName;
  /** HMAC: the shared secret. RSA: the private key in PEM. Unused for `digest`. */
  readonly key: string;
  readonly over: (parts: SignedParts, moment: SigningMoment) => string;
  readonly encoding: 'hex' | 'base64';
}

/** RFC 7518, 3.1, and RFC 8037, 3.1. */
export type JwsAlgorithm = `${'HS' | 'RS' | 'PS' | 'ES'}${256 | 384 | 512}` | 'EdDSA';

interface Jose extends Signed {
  readonly algorithm: JwsAlgorithm;
  /** The private key in PEM; for HS256 and its like the shared secret. */
  readonly key: string;
  /** Fields of the protected header besides `alg`: `kid`, `typ`, and what `crit` names. */
  readonly header?: (moment: SigningMoment) => Readonly<Record<string, unknown>>;
}

/** A detached JSON Web Signature: RFC 7515, appendix F. */
export interface JwsSigning extends Jose {
  readonly scheme: 'jws';
  /** The signed text; the body unless given. */
  readonly over?: (parts: SignedParts, moment: SigningMoment) => string;
  /** `true`: the text is signed as it is, without Base64 (RFC 7797); `b64` and its place in `crit` are added to the header. */
  readonly unencoded?: boolean;
}

/** A token of the merchant's own making: a client assertion (RFC 7523), or a bearer that the merchant signs for each request. */
export interface JwtSigning extends Jose {
  readonly scheme: 'jwt';
  readonly claims: (moment: SigningMoment, parts: SignedParts) => Readonly<Record<string, unknown>>;
}

/** A signature as a declaration; the runtime computes it, because flows are synchronous and see no key material at work. */
export type Signing = PlainSigning | JwsSigning | JwtSigning;

/** How a connection to a provider proves both sides; all of it in PEM. */
export interface Tls {
  /** The merchant's certificate and its key, for providers that ask for mutual TLS. */
  readonly cert?: string;
  readonly key?: string;
  /** The authorities, one after the other, of which one signed the provider's certificate. They stand in place of the public ones. */
  readonly ca?: string;
}

/** One request to a provider, as plain data. At most one body. */
export interface Wire {
  /** Values of the `{name}` places of the endpoint's path; the runtime percent-encodes them. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: WireValue;
  /** Nested fields leave in bracket form: `card[number]`, `items[0]`. */
  readonly form?: Readonly<Record<string, WireValue>>;
  /** Element name → content; attributes as `@name`. */
  readonly xml?: { readonly [element: string]: WireValue };
  readonly text?: string;
  /** Several are made in order; each may cover the headers and fields of those before it. */
  readonly sign?: Signing | readonly Signing[];
}

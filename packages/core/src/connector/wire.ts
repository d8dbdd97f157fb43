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

/**
 * A signature as a declaration; the runtime computes it, because flows are synchronous and see no key material at work.
 * `digest` hashes what `over` returns (append the key there), `hmac` and `rsa` use `key`.
 */
export interface Signing {
  readonly scheme: 'hmac' | 'rsa' | 'digest';
  readonly algorithm: DigestName;
  /** HMAC: the shared secret. RSA: the private key in PEM. Unused for `digest`. */
  readonly key: string;
  readonly over: (parts: SignedParts) => string;
  readonly encoding: 'hex' | 'base64';
  readonly into: { readonly header: string; readonly prefix?: string } | { readonly field: string };
}

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
  readonly form?: Readonly<Record<string, WireLeaf>>;
  /** Element name → content; attributes as `@name`. */
  readonly xml?: { readonly [element: string]: WireValue };
  readonly text?: string;
  readonly sign?: Signing;
}

import type { JwsProof, OneOrSeveral, ProofKey, SignatureProof } from '../connector/proof.ts';
import { listOf } from '../connector/proof.ts';
import type { JwsSigning } from '../connector/wire.ts';
import { base64Key } from './keys.ts';

/** How far the signed time may be away where the scheme leaves that to the receiver: the time that Stripe's and Svix's libraries allow. */
const TOLERANCE_SECONDS = 300;

/**
 * A header that lists a time and signatures, `t=…,v1=…,v1=…`: the hexadecimal HMAC of `<time>.<body>`. Stripe made it, others took it over
 * with other names for the items. https://docs.stripe.com/webhooks/signature
 *
 * @example verify: timedSignatures({ header: 'stripe-signature', key: (settings: Settings) => settings.webhook_secret })
 */
export function timedSignatures<S>({
  header,
  key,
  algorithm = 'sha256',
  items = { time: 't=', signature: 'v1=' },
  toleranceSeconds = TOLERANCE_SECONDS,
}: {
  readonly header: string;
  readonly key: (settings: S) => OneOrSeveral<ProofKey>;
  readonly algorithm?: 'sha256' | 'sha512';
  readonly items?: { readonly time: string; readonly signature: string };
  readonly toleranceSeconds?: number;
}): SignatureProof<S> {
  return {
    scheme: 'hmac',
    algorithm,
    header,
    separator: ',',
    prefix: items.signature,
    encoding: 'hex',
    key,
    over: ({ bytes }, { time }) => [`${time}.`, bytes],
    timestamp: { item: items.time, toleranceSeconds },
  };
}

const PREFIX = 'whsec_';

/**
 * Standard Webhooks, signed with a secret: `webhook-signature` lists `v1,<Base64>` of `<webhook-id>.<webhook-timestamp>.<body>`. The secret is
 * Base64, perhaps with `whsec_` in front. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @example verify: standardWebhooks((settings: Settings) => settings.webhook_secret)
 */
export function standardWebhooks<S>(secret: (settings: S) => OneOrSeveral<string>): SignatureProof<S> {
  return {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'webhook-signature',
    separator: ' ',
    prefix: 'v1,',
    encoding: 'base64',
    key: (settings) =>
      listOf(secret(settings)).map((text) => base64Key(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text)),
    over: ({ bytes, headers }, { time }) => [`${headers['webhook-id'] ?? ''}.${time}.`, bytes],
    timestamp: { header: 'webhook-timestamp', toleranceSeconds: TOLERANCE_SECONDS },
  };
}

const UK = 'http://openbanking.org.uk';

/**
 * The signatures of UK Open Banking: a detached JWS by PS256 in `x-jws-signature`, whose header names issuer, trust anchor and time as
 * critical. Up to version 3.1.3 the body is signed without Base64 (`b64: false`), from 3.1.4 on with it; both are read. The standard does not
 * say how old a signature may be. https://openbankinguk.github.io/knowledge-base-pub/standards/general/message-sign.html
 *
 * @param keys the bank's public keys by `kid`
 */
export function openBankingJws<S>({
  keys,
  issuer,
  trustAnchor = 'openbanking.org.uk',
  unencoded = false,
  toleranceSeconds = TOLERANCE_SECONDS,
}: {
  readonly keys: (settings: S) => Readonly<Record<string, ProofKey>>;
  readonly issuer: (settings: S) => string;
  readonly trustAnchor?: string;
  readonly unencoded?: boolean;
  readonly toleranceSeconds?: number;
}): JwsProof<S> {
  return {
    scheme: 'jws',
    header: 'x-jws-signature',
    algorithms: ['PS256'],
    keys,
    claims: (settings) => ({ [`${UK}/iss`]: issuer(settings), [`${UK}/tan`]: trustAnchor }),
    timestamp: { claim: `${UK}/iat`, toleranceSeconds },
    unencoded,
  };
}

/**
 * The signature of a request of UK Open Banking, from version 3.1.4 on: the other side of `openBankingJws`.
 *
 * @param issuer of a certificate of the directory `{organisation id}/{software statement id}`
 * @example sign: signedForOpenBanking({ key: settings.signing_key, keyId: settings.signing_key_id, issuer: settings.signature_issuer })
 */
export function signedForOpenBanking({
  key,
  keyId,
  issuer,
  trustAnchor = 'openbanking.org.uk',
}: {
  readonly key: string;
  readonly keyId: string;
  readonly issuer: string;
  readonly trustAnchor?: string;
}): JwsSigning {
  const claims = [`${UK}/iat`, `${UK}/iss`, `${UK}/tan`] as const;
  const [iat, iss, tan] = claims;
  return {
    scheme: 'jws',
    algorithm: 'PS256',
    key,
    header: ({ now }) => ({
      kid: keyId,
      typ: 'JOSE',
      cty: 'application/json',
      [iat]: now,
      [iss]: issuer,
      [tan]: trustAnchor,
      crit: claims,
    }),
    into: { header: 'x-jws-signature' },
  };
}

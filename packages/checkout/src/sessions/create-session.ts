import {
  withoutTrailingSlashes,
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  issue,
  type Issue,
  type SessionRequest,
  TEXTS,
  type ValidationBody,
  type Verification,
  validationAnswer,
  verifySessionSignature,
} from '@railyard/core';
import { sealedAt } from '../secrets/index.ts';
import type { Merchant } from '../config/directory.ts';
import { parseJson } from '../http/json-body.ts';
import { tooMany } from '../limits/rate-limits.ts';
import { type Effect, type HeadedAnswer, once } from '../repeats/once.ts';
import type { ServiceContext } from '../service-context.ts';
import type { MerchantScope } from '../storage/index.ts';
import { fastHash } from './fast-hash.ts';
import { acceptedText } from './stored-request.ts';

export interface SessionBody {
  readonly redirect_url: string;
  /** Check digits that look wrong and the like: nothing that stops the payment. */
  readonly warnings?: readonly { readonly error_code: number; readonly error_message: string }[];
}

/**
 * Creates a session from the body of `POST /api/v1/session`: fields, then hash, then the merchant's methods, then the duplicate
 * window, then stored (decision: order of checks). Which methods and aliases a merchant has is told to nobody who cannot sign
 * for it. Only an accepted request arms the window.
 */
export async function createSession(
  context: ServiceContext,
  text: string,
  idempotencyKey?: string,
): Promise<HeadedAnswer<SessionBody | ValidationBody | ErrorBody>> {
  const read = parseJson(text);
  if (!read.ok) return read.answer;
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const { registry } = context.directory;
  const parsed = registry.parse(read.body, { today, openAmount: () => true });
  if (!parsed.ok) return validationAnswer(parsed.issues);
  const { merchant_key } = parsed.session;
  const found = context.directory.find(merchant_key);
  const config = found?.merchant.config;
  const signature = verifySessionSignature(parsed.session, {
    password: config?.password,
    digest: config?.digest ?? 'both',
    hash: fastHash,
  });
  if (!signature.ok || found === undefined) return validationAnswer([issue('hash', TEXTS.hash)]);
  const seconds = await context.limits.wait('merchant', merchant_key);
  if (seconds !== undefined) return tooMany(seconds);
  const repeatable = { merchantKey: merchant_key, key: idempotencyKey, path: '/session', text };
  return once(context, { ...repeatable, secret: context.pageTokens.of }, (effect) =>
    accept(context, { parsed: parsed.session, today, ...found, signature }, effect),
  );
}

interface Signed {
  readonly parsed: SessionRequest;
  readonly today: string;
  readonly merchant: Merchant;
  readonly test: boolean;
  readonly signature: Extract<Verification, { ok: true }>;
}

/** What the merchant's methods say of a signed request, and if they take it, the session, whose id is the effect's. */
async function accept(
  context: ServiceContext,
  { parsed, today, merchant, test, signature }: Signed,
  { id, again }: Effect,
): Promise<Answer<SessionBody | ValidationBody | ErrorBody>> {
  const checked = context.directory.registry.validateParsed(parsed, { today, profile: merchant.profile });
  if (!checked.ok) return validationAnswer(checked.issues);
  const { session, warnings } = checked;
  const strange = await strangeTokens(context, session, { merchantKey: merchant.config.key, test });
  if (strange.length > 0) return validationAnswer(strange);
  const token = context.pageTokens.of(id);
  const redirect_url = `${withoutTrailingSlashes(context.config.publicUrl)}/auth/${token}`;
  const body = { redirect_url, ...(warnings.length > 0 && { warnings: warnings.map(warningOf) }) };
  if (again && (await context.stores.sessions.find(id)) !== undefined) return { status: 200, body };
  const stored = await context.stores.sessions.create({
    id,
    merchantKey: merchant.config.key,
    keyAsSent: parsed.merchant_key,
    operation: session.operation,
    orderNumber: session.order.number,
    tokenHash: context.pageTokens.hash(token),
    requestText: context.sealer.seal(acceptedText(parsed), sealedAt.request(id)),
    hashDialect: signature.dialect === 'either' ? 'ascii' : signature.dialect,
    hashDigest: signature.digest,
    test,
    lifetimeMinutes: session.session_expiry,
  });
  if (stored.result === 'duplicate') return duplicateAnswer();
  context.log.info({ event: 'session-created', session: id, operation: session.operation, test });
  return { status: 200, body };
}

/** A token that nobody knows, another merchant's and one of the other mode get the same answer. */
async function strangeTokens(
  { vault, stores }: ServiceContext,
  { card_token = [] }: SessionRequest,
  scope: MerchantScope,
): Promise<Issue[]> {
  const hashes = card_token.map((token) => vault.tokenHash(token));
  const known = new Set((await stores.cards.ofTokens(scope, hashes)).map(({ tokenHash }) => tokenHash));
  return hashes.every((hash) => known.has(hash)) ? [] : [issue('card_token', TEXTS.notCorrect)];
}

const warningOf = ({ code, path, message }: Issue) => ({ error_code: code, error_message: `${path}: ${message}` });

import { TEXTS } from '@railyard/core';
import {
  withoutTrailingSlashes,
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  issue,
  type Issue,
  onePerPath,
  type SessionRequest,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import { sealedAt } from '../../secrets/index.ts';
import { hashBy } from '../basics/call.ts';
import type { SignedByHash } from '../basics/call.ts';
import { defineApiCall } from './api-call.ts';
import { unusableSchedule } from '../../schedules.ts';
import type { Resource } from '../../idempotency.ts';
import type { MerchantApiDeps } from '../deps.ts';
import type { MerchantScope } from '../../storage/index.ts';
import type { Asker } from '../../sessions/session.ts';
import { withNumbersOfAll } from '../../sessions/phones.ts';
import { acceptedText } from '../../sessions/session.ts';

export interface SessionBody {
  readonly redirect_url: string;
  /** Check digits that look wrong and the like: nothing that stops the payment. */
  readonly warnings?: readonly { readonly error_code: number; readonly error_message: string }[];
}

/**
 * `POST /api/v1/session`: fields, then signature, then the merchant's methods, then the duplicate window, then stored (decision: order of
 * checks). A merchant's methods and aliases are revealed only to a caller who signs for the merchant. Only an accepted request arms the
 * window.
 */
export const createSession = defineApiCall<Accepting, SessionBody | ValidationBody | ErrorBody>({
  path: '/session',
  check(context, body) {
    const today = new Date(context.now()).toISOString().slice(0, 10);
    const parsed = context.directory.registry.parse(body, { today, openAmount: () => true });
    return parsed.ok
      ? { ok: true, fields: { parsed: parsed.session, today } }
      : { ok: false, answer: validationAnswer(parsed.issues) };
  },
  signature: ({ parsed }) => ({
    merchantKey: parsed.merchant_key,
    call: parsed.operation,
    byHash: hashOf(parsed),
  }),
  secret: (context, resourceId) => context.pageTokens.of(resourceId),
  handle: accept,
});

/** An amount that is left out is left out of the signature. */
function hashOf({ order, hash }: SessionRequest): SignedByHash {
  const { number, amount, currency, description } = order;
  return amount === undefined
    ? hashBy('session_without_amount', { number, currency, description }, hash)
    : hashBy('session', { number, amount, currency, description }, hash);
}

interface Accepting {
  readonly parsed: SessionRequest;
  /** `YYYY-MM-DD` */
  readonly today: string;
}

/** Validates a signed request with the merchant's profile and creates its session, under the id of the resource. */
async function accept(
  context: MerchantApiDeps,
  { merchant, scope, signature }: Asker,
  { parsed, today }: Accepting,
  { resourceId: id, isRetry }: Resource,
): Promise<Answer<SessionBody | ValidationBody | ErrorBody>> {
  const { registry } = context.directory;
  const { profile } = merchant;
  const { request, unfit } = withNumbersOfAll(registry, profile, parsed);
  const checked = registry.validateParsed(request, { today, profile, unfit });
  if (!checked.ok) return validationAnswer(onePerPath(checked.issues));
  const { session, warnings } = checked;
  const unrecognised = [
    ...(await unrecognisedTokens(context, session, scope)),
    ...(await unusableSchedule(context, { scope, merchant }, session)),
  ];
  if (unrecognised.length > 0) return validationAnswer(unrecognised);
  const token = context.pageTokens.of(id);
  const redirect_url = `${withoutTrailingSlashes(context.config.publicUrl)}/auth/${token}`;
  const body = { redirect_url, ...(warnings.length > 0 && { warnings: warnings.map(warningOf) }) };
  if (isRetry && (await context.stores.sessions.find(id)) !== undefined) return { status: 200, body };
  const stored = await context.stores.sessions.create({
    id,
    merchantKey: scope.merchantKey,
    keyAsSent: parsed.merchant_key,
    operation: session.operation,
    orderNumber: session.order.number,
    tokenHash: context.pageTokens.hash(token),
    requestText: context.sealer.seal(acceptedText(parsed), sealedAt.request(id)),
    hashDialect: signature.dialect === 'either' ? 'ascii' : signature.dialect,
    hashDigest: signature.digest,
    test: scope.test,
    lifetimeMinutes: session.session_expiry,
    payerPresence: 'page',
  });
  if (stored.result === 'duplicate') return duplicateAnswer();
  context.log.info({
    event: 'session-created',
    session: id,
    operation: session.operation,
    test: scope.test,
    ...(body.warnings && { warnings: body.warnings.map((each) => each.error_message) }),
  });
  return { status: 200, body };
}

/** An unknown token, another merchant's and one of the other mode get the same answer. */
async function unrecognisedTokens(
  { vault, stores }: MerchantApiDeps,
  { card_token = [] }: SessionRequest,
  scope: MerchantScope,
): Promise<Issue[]> {
  const hashes = card_token.map((token) => vault.tokenHash(token));
  const known = new Set((await stores.cards.ofTokens(scope, hashes)).map(({ tokenHash }) => tokenHash));
  return hashes.every((hash) => known.has(hash)) ? [] : [issue('card_token', TEXTS.notCorrect)];
}

const warningOf = ({ code, path, message }: Issue) => ({ error_code: code, error_message: `${path}: ${message}` });

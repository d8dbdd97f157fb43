import { TEXTS } from '@railyard/core';
import type { Merchant } from '../../merchants/directory.ts';
import {
  withoutTrailingSlashes,
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  issue,
  type Issue,
  onePerPath,
  sessionSchema,
  type SessionRequest,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import { sealedAt } from '../../secrets/index.ts';
import * as z from 'zod';
import { textField } from '../../callbacks/field-schemas.ts';
import { hashBy, type CheckedFields, type SignedByHash } from '../basics/call.ts';
import { defineApiCall } from './api-call.ts';
import { unusableSchedule } from '../../schedules.ts';
import type { Resource } from '../../idempotency.ts';
import type { MerchantApiDeps } from '../deps.ts';
import type { MerchantScope } from '../../storage/index.ts';
import type { Asker } from '../../sessions/session.ts';
import { withNumbersOfAll } from '../../sessions/phones.ts';
import { acceptedText, type AcceptedFields } from '../../sessions/session.ts';

const warningFields = {
  warnings: z
    .array(
      z.object({
        error_code: z.int().describe('The code of the warning.'),
        error_message: textField('`<field>: <text>`.'),
      }),
    )
    .describe('Values that look wrong, such as check digits. They do not stop the payment.')
    .optional(),
};

type Warned = z.output<z.ZodObject<typeof warningFields>>;

const sessionAnswer = z.object({ redirect_url: textField('Send the payer to this payment page.'), ...warningFields });

export const tokenAnswer = z.object({
  token: textField('For the fields on your page, and for `/processing/{operation}/card`.'),
  ...warningFields,
});

/**
 * `POST /api/v1/session`: fields, then signature, then the merchant's methods, then the duplicate window, then stored (decision: order of
 * checks). A merchant's methods and aliases are revealed only to a caller who signs for the merchant. Only an accepted request arms the
 * window.
 */
export const createSession = defineApiCall({
  path: '/session',
  request: {
    schema: sessionSchema,
    check(context, body): CheckedFields<Accepting> {
      const today = new Date(context.now()).toISOString().slice(0, 10);
      const parsed = context.directory.registry.parse(body, { today, openAmount: () => true });
      return parsed.ok
        ? { ok: true, fields: { parsed: parsed.session, today } }
        : { ok: false, answer: validationAnswer(parsed.issues) };
    },
  },
  answer: sessionAnswer,
  signature: ({ parsed }) => ({
    merchantKey: parsed.merchant_key,
    call: parsed.operation,
    byHash: hashOf(parsed),
  }),
  secret: (context, resourceId) => context.pageTokens.of(resourceId),
  handle: accept,
});

/** An amount that is left out is left out of the signature. */
export function hashOf({ order, hash }: SessionRequest): SignedByHash {
  const { number, amount, currency, description } = order;
  return amount === undefined
    ? hashBy('session_without_amount', { number, currency, description }, hash)
    : hashBy('session', { number, amount, currency, description }, hash);
}

export interface Accepting {
  readonly parsed: SessionRequest;
  /** `YYYY-MM-DD` */
  readonly today: string;
}

/** How a session is stored, and answered with its token. */
interface Kind<B> {
  readonly payerPresence: 'page' | 'fields';
  readonly fields?: AcceptedFields;
  /** The problems of a request that is right by itself. */
  readonly more?: (session: SessionRequest) => readonly Issue[];
  readonly answer: (token: string) => B;
}

function accept(context: MerchantApiDeps, asker: Asker, accepting: Accepting, resource: Resource) {
  return acceptSession(context, asker, accepting, resource, {
    payerPresence: 'page',
    answer: (token) => ({ redirect_url: `${withoutTrailingSlashes(context.config.publicUrl)}/auth/${token}` }),
  });
}

/** Validates a signed request with the merchant's profile and creates its session, under the id of the resource. */
export async function acceptSession<B extends object>(
  context: MerchantApiDeps,
  { merchant, scope, signature }: Asker,
  { parsed, today }: Accepting,
  { resourceId: id, isRetry }: Resource,
  { payerPresence, fields, more, answer }: Kind<B>,
): Promise<Answer<(B & Warned) | ValidationBody | ErrorBody>> {
  const { registry } = context.directory;
  const { profile } = merchant;
  const { request, unfit } = withNumbersOfAll(registry, profile, parsed);
  const checked = registry.validateParsed(request, { today, profile, unfit });
  if (!checked.ok) return validationAnswer(onePerPath(checked.issues));
  const { session, warnings } = checked;
  const unrecognised = [
    ...(more?.(session) ?? []),
    ...notConfigured(merchant, session),
    ...(await unrecognisedTokens(context, session, scope)),
    ...(await unusableSchedule(context, { scope, merchant }, session)),
  ];
  if (unrecognised.length > 0) return validationAnswer(unrecognised);
  const token = context.pageTokens.of(id);
  const body = { ...answer(token), ...(warnings.length > 0 && { warnings: warnings.map(warningOf) }) };
  if (isRetry && (await context.stores.sessions.find(id)) !== undefined) return { status: 200, body };
  const stored = await context.stores.sessions.create({
    id,
    merchantKey: scope.merchantKey,
    keyAsSent: parsed.merchant_key,
    operation: session.operation,
    orderNumber: session.order.number,
    tokenHash: context.pageTokens.hash(token),
    requestText: context.sealer.seal(
      acceptedText(parsed, { fields, vatRate: vatRateOf(merchant, session) }),
      sealedAt.request(id),
    ),
    hashDialect: signature.dialect === 'either' ? 'ascii' : signature.dialect,
    hashDigest: signature.digest,
    test: scope.test,
    lifetimeMinutes: session.session_expiry,
    payerPresence,
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

const vatRateOf = ({ config }: Merchant, { vat_calc, billing_address }: SessionRequest): string | undefined =>
  vat_calc ? config.vat[billing_address?.country ?? ''] : undefined;

/** A form that the merchant does not have, and a tax without a rate: a merchant who is not refused relies on it. */
function notConfigured(merchant: Merchant, session: SessionRequest): Issue[] {
  const { form_id, vat_calc } = session;
  const isUnknownForm = form_id !== undefined && merchant.config.forms[form_id.toLowerCase()] === undefined;
  const hasNoRate = vat_calc && vatRateOf(merchant, session) === undefined;
  return [
    ...(hasNoRate ? [issue('vat_calc', NO_RATE)] : []),
    ...(isUnknownForm ? [issue('form_id', TEXTS.notCorrect)] : []),
  ];
}

const NO_RATE =
  'There is no VAT rate for this country. Ask the operator of the checkout to add it, or leave the field out.';

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

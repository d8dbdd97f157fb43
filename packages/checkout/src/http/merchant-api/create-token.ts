import { TEXTS } from '@railyard/core';
import {
  choiceIssue,
  issue,
  sessionSchema,
  validationAnswer,
  type Answer,
  type ErrorBody,
  type Issue,
  type SessionRequest,
  type ValidationBody,
} from '@railyard/core/protocol';
import * as z from 'zod';
import type { Resource } from '../../idempotency.ts';
import type { Merchant } from '../../merchants/directory.ts';
import { usableRoutes, type Asker } from '../../sessions/session.ts';
import { takesCard } from '../../cards/paid-with.ts';
import type { MerchantApiDeps } from '../deps.ts';
import type { CheckedFields } from '../basics/call.ts';
import { defineApiCall } from './api-call.ts';
import { acceptSession, hashOf, tokenAnswer, type Accepting } from './create-session.ts';

/** The operations that have hosted fields. */
export const FIELDS_OPERATIONS = ['purchase', 'debit'] as const;

/** The fields of a session that this call has, and the one way back. */
const tokenSchema = sessionSchema
  .omit({ success_url: true, form_id: true, recurring_consent_required: true })
  .extend({ operation: z.enum(FIELDS_OPERATIONS), return_url: sessionSchema.shape.success_url });

/**
 * `POST /api/v1/session/token`: a session whose payer pays in hosted fields on the merchant's own page (reference: Hosted Payment Fields). The
 * request is that of a session, and goes the same way, with `return_url` and, if sent, `customer.ip`.
 */
export const createToken = defineApiCall({
  path: '/session/token',
  request: {
    schema: tokenSchema,
    check(context, body): CheckedFields<Accepting> {
      const today = new Date(context.now()).toISOString().slice(0, 10);
      const parsed = context.directory.registry.parse(asSession(body), { today, endpoint: 'token' });
      const issues = [...ownUrlIssues(body), ...(parsed.ok ? notForFields(parsed.session) : parsed.issues.map(sentAs))];
      return parsed.ok && issues.length === 0
        ? { ok: true, fields: { parsed: parsed.session, today } }
        : { ok: false, answer: validationAnswer(issues) };
    },
  },
  answer: tokenAnswer,
  signature: ({ parsed }) => ({
    merchantKey: parsed.merchant_key,
    call: '/session/token',
    byHash: hashOf(parsed),
  }),
  secret: (context, resourceId) => context.pageTokens.of(resourceId),
  handle: accept,
});

const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** The payer has one way back, for every result: the session's is `return_url` (reference: Hosted Payment Fields, 1 and 5). */
const asSession = (body: unknown): unknown => (isObject(body) ? { ...body, success_url: body.return_url } : body);

const sentAs = (each: Issue): Issue => (each.path === 'success_url' ? { ...each, path: 'return_url' } : each);

const ownUrl = sessionSchema.shape.success_url.optional();

/** A `success_url` may be sent and is of no use here, but a wrong one is a mistake. */
function ownUrlIssues(body: unknown): Issue[] {
  const read = ownUrl.safeParse(isObject(body) ? body.success_url : undefined);
  return read.success ? [] : read.error.issues.slice(0, 1).map(({ message }) => issue('success_url', message));
}

/** The operations that hosted fields have, and what only a page of ours can ask the payer. */
const notForFields = ({ operation, recurring_consent_required, form_id }: SessionRequest): Issue[] => [
  ...(FIELDS_OPERATIONS.some((each) => each === operation) ? [] : [choiceIssue('operation', FIELDS_OPERATIONS)]),
  ...(form_id === undefined ? [] : [issue('form_id', TEXTS.unexpected)]),
  ...(recurring_consent_required ? [issue('recurring_consent_required', TEXTS.unexpected)] : []),
];

function accept(
  context: MerchantApiDeps,
  asker: Asker,
  accepting: Accepting,
  resource: Resource,
): Promise<Answer<z.output<typeof tokenAnswer> | ValidationBody | ErrorBody>> {
  const { client: askedFrom } = asker;
  return acceptSession(context, asker, accepting, resource, {
    payerPresence: 'fields',
    fields: { ...(askedFrom !== undefined && { askedFrom }) },
    more: (session) => withoutCards(context, asker.merchant, session),
    answer: (token) => ({ token }),
  });
}

/** The fields are those of a card. */
function withoutCards(context: MerchantApiDeps, merchant: Merchant, request: SessionRequest): Issue[] {
  const takes = usableRoutes(context, merchant, request).some((route) =>
    takesCard(context, { request, merchant }, route),
  );
  return takes ? [] : [issue('methods', TEXTS.choice)];
}

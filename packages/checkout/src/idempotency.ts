import { openText, sealedAt, type Sealer } from './secrets/index.ts';
import type { ClaimedKey, NewKey, Stores } from './storage/index.ts';
import {
  issue,
  refusedAnswer,
  validationAnswer,
  type Answer,
  type ErrorBody,
  type ValidationBody,
} from '@railyard/core/protocol';
import { createHash } from 'node:crypto';
import { TEXTS } from '@railyard/core';

/** Needed to handle a request once. */
export interface IdempotencyDeps {
  readonly stores: Pick<Stores, 'idempotency'>;
  /** Seals the answers that are kept. */
  readonly sealer: Sealer;
  /** A random UUID. */
  readonly newId: () => string;
}

/** An answer with headers of its own. */
export interface HeadedAnswer<B> extends Answer<B> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** The resource that a request is about to make. */
export interface Resource {
  /** The id of the new resource: a session's, a refund's. It is unique in its table, so that it can never be made twice. */
  readonly resourceId: string;
  /** The request was begun before and not finished: look first whether its resource is there. */
  readonly isRetry: boolean;
}

/** A request that its merchant may repeat. */
export interface IdempotentRequest {
  /** The merchant key as it was sent; live and test are apart. */
  readonly merchantKey: string;
  /** The header `Idempotency-Key`, if there is one. */
  readonly key: string | undefined;
  readonly path: string;
  readonly text: string;
  /** A UUID. The resource that this request makes gets it as its id. */
  readonly requestId: string;
  /** A part of the answer that must not be stored, made from the resource's id: a page's token. */
  readonly secret?: (resourceId: string) => string;
}

const HEADER = 'Idempotency-Key';
const KEY = /^[\u0021-\u007e]{1,255}$/;
const HIDDEN = '{secret}';

/**
 * Handles a request once per Idempotency-Key: a repeat gets the stored answer, byte for byte, for 24 hours. To be called when the
 * signature has been verified, so that only the merchant can probe its keys. Without the header it just handles the request.
 *
 * The key's row is written before `run` and names the resource; a request whose process died is run again for the same resource, and
 * finds it if it is there. Only an accepted request is stored: a refused request may be corrected and sent again with the same key.
 */
export async function withIdempotency<B>(
  context: IdempotencyDeps,
  request: IdempotentRequest,
  run: (resource: Resource) => Promise<Answer<B>>,
): Promise<HeadedAnswer<B | ValidationBody | ErrorBody>> {
  if (request.key === undefined) return run({ resourceId: request.requestId, isRetry: false });
  if (!KEY.test(request.key)) return validationAnswer([issue(HEADER, TEXTS.notValid)]);
  const key: NewKey = {
    merchantKey: request.merchantKey,
    idempotencyKey: request.key,
    requestHash: createHash('sha256').update(`${request.path}\n${request.text}`).digest('hex'),
    resourceId: request.requestId,
  };
  const claimed = await context.stores.idempotency.claim(key);
  if (claimed.kind === 'mine') return runAndStore(context, request, key, claimed, run);
  if (claimed.kind !== 'answered') return storedAnswer(request, claimed);
  const place = sealedAt.idempotencyAnswer(key.merchantKey, key.idempotencyKey);
  return storedAnswer(request, { ...claimed, answerText: openText(context.sealer, claimed.answerText, place) });
}

async function runAndStore<B>(
  context: IdempotencyDeps,
  { secret }: IdempotentRequest,
  key: NewKey,
  { resourceId, isRetry }: Extract<ClaimedKey, { kind: 'mine' }>,
  run: (resource: Resource) => Promise<Answer<B>>,
): Promise<HeadedAnswer<B>> {
  const { idempotency } = context.stores;
  try {
    const answer = await run({ resourceId: resourceId, isRetry });
    if (answer.status >= 400) await idempotency.release(key, resourceId);
    else {
      const text = JSON.stringify(answer.body);
      const stored = secret === undefined ? text : text.replaceAll(secret(resourceId), HIDDEN);
      const place = sealedAt.idempotencyAnswer(key.merchantKey, key.idempotencyKey);
      await idempotency.answer(key, resourceId, answer.status, context.sealer.seal(stored, place));
    }
    return answer;
  } catch (error) {
    await idempotency.letGo(key, resourceId).catch(() => undefined);
    throw error;
  }
}

function storedAnswer<B>(
  { secret }: IdempotentRequest,
  claimed: Exclude<ClaimedKey, { kind: 'mine' }>,
): HeadedAnswer<B | ErrorBody> {
  switch (claimed.kind) {
    case 'other-request':
      return refusedAnswer(`The ${HEADER} was used before for another request.`);
    case 'under-way': {
      const error_message = `A request with this ${HEADER} is being handled. Send it again in a moment.`;
      return {
        status: 409,
        headers: { 'retry-after': '1' },
        body: { http_code: 409, error_code: '409', error_message },
      };
    }
    case 'answered': {
      const text =
        secret === undefined ? claimed.answerText : claimed.answerText.replaceAll(HIDDEN, secret(claimed.resourceId));
      const body: B = JSON.parse(text);
      return { status: claimed.status, headers: { 'idempotency-replayed': 'true' }, body };
    }
  }
}

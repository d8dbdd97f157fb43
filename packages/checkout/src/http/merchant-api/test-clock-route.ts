import {
  type Answer,
  type ErrorBody,
  issue,
  refusedAnswer,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { callbackDate } from '../../callbacks/fields.ts';
import { dayAt } from '../../deployment/time-zones.ts';
import { merchantNow } from '../../schedules.ts';
import { MOVED } from '../../schedules.ts';
import type { Asker } from '../../sessions/session.ts';
import { DatabaseUnavailableError } from '../../storage/index.ts';
import { date, textField } from '../../callbacks/field-schemas.ts';
import { hashBy, requiredText, signedFields } from '../basics/call.ts';
import { bodyBy, defineApiCall } from './api-call.ts';
import type { MerchantApiDeps } from '../deps.ts';

const UNITS = { min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30min`, `6h`, `40d`. */
const LENGTH = /^([1-9]\d{0,5})(min|h|d)$/;

/** Days of schedules are of a calendar that goes on for a while. */
const MOST_AHEAD_MS = 3660 * UNITS.d;

/** A length of time, in milliseconds, and as it was signed. */
const lengthOfTime = requiredText.transform((text, check) => {
  const [, count, unit] = LENGTH.exec(text) ?? [];
  if (unit === 'min' || unit === 'h' || unit === 'd') return { text, ms: Number(count) * UNITS[unit] };
  check.addIssue({ code: 'custom', message: NO_LENGTH });
  return z.NEVER;
});

const schema = z.object({
  merchant_key: requiredText.describe('The merchant’s test key.'),
  advance: lengthOfTime.describe('How far to move the clock: `30min`, `6h`, `40d`.'),
  hash: signedFields.hash,
});

/** How the merchant's test clock stands (ours). */
const clockSchema = z.object({
  now: date.describe('The time of test payments, `YYYY-MM-DD hh:mm:ss` in UTC.'),
  today: textField('The day that it is for schedules, in the merchant’s time zone.'),
  seconds_ahead: z.number().describe('How far the clock is ahead of the real time, in seconds.'),
  is_complete: z
    .boolean()
    .describe('`false`: more waits than one request moves. The service moves the rest by itself, a part at a time.'),
});

type ClockBody = z.output<typeof clockSchema>;

/**
 * `POST /api/v1/test/clock` (ours): moves the time of the merchant's test payments forward, so that sessions expire, callbacks are tried again,
 * providers are asked and schedules charge now. Nothing of another merchant's, and nothing live, moves.
 *
 * @example { "merchant_key": "…", "advance": "40d", "hash": "…" }
 */
export const testClock = defineApiCall({
  path: '/test/clock',
  request: bodyBy(schema),
  answer: clockSchema,
  signature: ({ merchant_key, advance, hash }) => ({
    merchantKey: merchant_key,
    call: '/test/clock',
    byHash: hashBy('test_clock', { advance: advance.text }, hash),
  }),
  handle: (context, asker, { advance }, { resourceId }) => move(context, asker, advance.ms, resourceId),
});

async function move(
  context: MerchantApiDeps,
  { scope, merchant }: Pick<Asker, 'scope' | 'merchant'>,
  ms: number,
  id: string,
): Promise<Answer<ClockBody | ValidationBody | ErrorBody>> {
  if (!scope.test) return refusedAnswer(ONLY_TEST);
  const { testClocks } = context.stores;
  const aheadMs = await testClocks.advance(scope.merchantKey, ms, id, MOST_AHEAD_MS);
  if (aheadMs === undefined) return validationAnswer([issue('advance', TOO_FAR)]);
  const is_complete = await moveFirst(context, id);
  for (const work of MOVED) context.wake(work);
  context.log.info({ event: 'test-clock', merchant: scope.merchantKey, secondsAhead: aheadMs / 1000 });
  const now = await merchantNow(context, scope);
  const body = {
    now: callbackDate(now),
    today: dayAt(now, merchant.config.timeZone),
    seconds_ahead: aheadMs / 1000,
    is_complete,
  };
  return { status: 200, body };
}

/** How many parts of a move a request does itself; a part has some thousand payments. */
const PARTS = 10;

/** Moves as much as one request can. The service's own work moves the rest, also if the database goes away. @returns whether nothing is left */
async function moveFirst({ stores, wake }: MerchantApiDeps, move: string): Promise<boolean> {
  try {
    for (let part = 0; part < PARTS; part += 1) if (!(await stores.testClocks.moveSome(move))) return true;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
  wake('remainders');
  return false;
}

const ONLY_TEST = 'The clock is one of test payments. Send the test key.';
const NO_LENGTH = 'Give minutes, hours or days: 30min, 6h, 40d.';
const TOO_FAR = 'A test clock can be ten years ahead of the real time. Move it by less.';

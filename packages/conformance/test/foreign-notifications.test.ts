import type { Connector } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { foreignNotificationChecks } from '../src/checks/foreign-notifications.ts';
import type { ConformanceOptions } from '../src/index.ts';
import { runCheck } from '../src/run-checks.ts';
import { type Internals, subjectOf } from '../src/subject.ts';
import { bank, options, simulation } from './support/bank.ts';

type Notifications = NonNullable<Connector['notifications']>;

/** The bank with other notifications. */
function notifying(change: (notifications: Notifications) => Notifications): Connector {
  const { notifications, ...connector } = bank();
  if (notifications === undefined) throw new Error('The bank of these tests sends notifications.');
  return { ...connector, notifications: change(notifications) };
}

/** The bank that sends its news in lists. */
const listing = (items?: string) =>
  notifying(({ body, events, ...notifications }) => ({
    ...notifications,
    ...(items !== undefined && { items }),
    body: z.object({ batch: z.array(body) }),
    events: (read, context) =>
      z
        .object({ batch: z.array(z.unknown()) })
        .parse(read)
        .batch.flatMap((each) => events(each, context)),
    examples: [],
  }));
const { notification } = simulation;
const inLists: ConformanceOptions = {
  ...options,
  simulation: {
    ...simulation,
    ...(notification && {
      notification: { ...notification, body: (...given) => ({ batch: [notification.body(...given)] }) },
    }),
  },
};

const resultsOf = async (connector: Connector, given = options, internals: Internals = {}) => {
  const subject = subjectOf(connector, given, internals);
  const results = [];
  for (const check of foreignNotificationChecks) results.push(await runCheck(subject, 'notifications', check));
  return results;
};
const failedOf = async (...given: Parameters<typeof resultsOf>) =>
  (await resultsOf(...given)).filter(({ status }) => status === 'failed').map(({ id, why }) => `${id}: ${why}`);

/** A runtime that refuses what it does not understand. */
const refuses: Internals = {
  machinery: {
    receive: (...given) => {
      const received = receiveNotification(...given);
      return received.kind === 'events' && received.unread.length > 0
        ? { kind: 'refused', why: 'malformed', detail: received.unread.join(' ') }
        : received;
    },
  },
};

const currencyIn = (change: (currency: string) => string) => (text: unknown) =>
  JSON.parse(JSON.stringify(text), (name, value: unknown) =>
    name === 'currency' && typeof value === 'string' ? change(value) : value,
  ) as unknown;

describe('notifications of other systems', () => {
  it('are no fault of a bank that keeps what it does not understand, one by one and in lists', async () => {
    expect((await resultsOf(bank())).map(({ status }) => status)).toEqual(['passed', 'passed', 'skipped']);
    expect((await resultsOf(listing('batch.*'), inLists)).map(({ status }) => status)).toEqual(Array(3).fill('passed'));
  });

  it('are a fault of a runtime that refuses what it does not understand', async () => {
    expect(await failedOf(listing('batch.*'), inLists, refuses)).toEqual([
      expect.stringMatching(/^notification-not-understood: .*With an empty body it is refused/),
      expect.stringMatching(/^notification-in-an-unknown-currency: .*it is refused/),
      expect.stringMatching(/^notification-beside-others: .*Beside an empty entry in batch it is refused/),
    ]);
  });

  it('are a fault of a connector whose list is read whole', async () => {
    expect(await failedOf(listing(), inLists)).toEqual([
      expect.stringMatching(
        /^notification-beside-others: .*the payment is lost. Name the list under items: 'batch\.\*'/,
      ),
    ]);
  });

  it.each([
    ['takes every currency for its own', currencyIn(() => 'USD'), 'makes the payment settled'],
    ['drops what is in another currency', (body: unknown) => body, 'it is dropped'],
  ])('are a fault of a connector that %s', async (_what, read, says) => {
    const isOfAnother = (body: unknown) => JSON.stringify(body).includes('"QQQ"');
    const connector = notifying(({ body, events, ...notifications }) => ({
      ...notifications,
      body: z.preprocess(
        read,
        z.union([
          body,
          z
            .unknown()
            .refine(isOfAnother)
            .transform(() => null),
        ]),
      ),
      events: (given, context) => (given === null ? [] : events(given, context)),
    }));
    expect(await failedOf(connector)).toEqual([
      expect.stringMatching(new RegExp(`^notification-in-an-unknown-currency: .*${says}`)),
    ]);
  });
});

import * as z from 'zod';
import type { OperatorDeps } from './change/deps.ts';
import { paidBefore } from './change/after.ts';
import { fromJsonText, type FlowRun, type FoundBySearch, type JsonValue, type Modification } from '../storage/index.ts';
import type { Callback, Payment, Session } from '../storage/index.ts';
import { isOpenModification } from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import type { MethodProfile } from '@railyard/core/registry';
import {
  hiding,
  maskedCallback,
  maskedNotification,
  maskedOrderNumber,
  maskedReply,
  maskedRequest,
  maskedText,
  maskedValue,
  type Masking,
  payerTexts,
  requestOf,
} from './masked.ts';

/** One thing that happened to a payment. */
export interface StoryEntry {
  readonly at: Date;
  /**
   * - `session`: the merchant's request was accepted; `request` is its masked content.
   * - `attempt`: a payment of the session began. That of the story says of each account of its method why it was chosen or passed over, by the
   *   configuration of now.
   * - `changed`: the payment changed; `from`, `to`, and why.
   * - `flow`: a flow of the connector began; its `steps` are calls to the provider and questions to the payer.
   * - `step`: a step began. `begun`: it may have been sent, and no reply is known. `reply`: the provider's visible fields, without the payer's texts.
   * - `modification`: a capture, void, release or refund was asked for.
   * - `notification`: a provider sent one; the values of its body are masked. `reported`: an event of it, or of a lookup.
   * - `callback`: a callback was written, with its masked body; `delivery`: it was sent, with the answer's status.
   */
  readonly what:
    | 'session'
    | 'attempt'
    | 'changed'
    | 'flow'
    | 'step'
    | 'modification'
    | 'notification'
    | 'reported'
    | 'callback'
    | 'delivery';
  readonly facts: Readonly<Record<string, JsonValue>>;
}

/** The actions that an operator has on a payment as it stands: words of `railyard-checkout payments`. */
export type OperatorAction = 'sync' | 'resolve' | 'accept' | 'give-back' | 'dismiss';

/** A payment as an operator reads it: texts of the payer, card numbers and secrets are masked. */
export interface PaymentStory {
  readonly payment: NonNullable<FoundBySearch['payment']> & {
    readonly session: string | null;
    readonly merchantKey: string;
    readonly orderNumber: string;
    readonly connectorId: string;
    readonly connectorVersion: string;
    readonly reason: string | null;
    readonly declineCode: string | null;
    readonly providerStatus: string | null;
    readonly providerCode: string | null;
    /** How often the provider was asked. */
    readonly polls: number;
  };
  /** In the order in which it happened. */
  readonly entries: readonly StoryEntry[];
  /** The things that the payment waits for, each as a sentence. Empty: nothing more happens by itself. */
  readonly awaits: readonly string[];
  readonly actions: readonly OperatorAction[];
}

/** @returns undefined if there is no such payment */
export async function paymentStory(context: OperatorDeps, id: string): Promise<PaymentStory | undefined> {
  const { directory, sealer, stores } = context;
  const { payments, sessions, runs, modifications, callbacks, stories } = stores;
  const payment = await payments.find(id);
  if (payment === undefined) return undefined;
  const session = payment.sessionId === null ? undefined : await sessions.find(payment.sessionId);
  const accepted = session && requestOf(sealer, session);
  const request = session?.erasedAt === null ? accepted?.session : undefined;
  const connector = directory.mid(payment.midId)?.connector;
  const [attempts, changes, flows, steps, asked, notified, reported, sent, deliveries] = await Promise.all([
    session === undefined ? [] : payments.ofSession(session.id),
    payments.eventsOf(id),
    runs.ofPayment(id),
    stories.stepsOf(id),
    modifications.ofPayment(id),
    stories.notificationsOf(id),
    stories.reportedOf(id),
    callbacks.ofPayment(id),
    stories.deliveriesOf(id),
  ]);
  const texts = payerTexts(sealer, { session, accepted, payment, flows, steps });
  const { secrets } = directory;
  const masking: Masking = { hide: texts && hiding(texts), secrets };
  const endpointOf = (step: string) => connector?.endpoints.find(({ name }) => name === step.replace(/#\d+$/, ''));
  const purposes = new Map(flows.map(({ runId, purpose }) => [runId, purpose]));
  const entries: StoryEntry[] = [
    ...(session === undefined ? [] : [beginning(session, request, secrets)]),
    ...attempts.map((each) => ({
      at: each.createdAt,
      what: 'attempt' as const,
      facts: {
        payment: each.id,
        attempt: each.attempt,
        method: each.methodAlias,
        account: each.midId,
        state: each.unknown ? 'unknown' : each.state,
        ...(each.declineCode !== null && { declined: each.declineCode }),
        ...(each.id === id && session && request && { accounts: routing(context, session, request, attempts, each) }),
      },
    })),
    ...changes.map(({ at, kind, fromState, toState, dataText }) => ({
      at,
      what: 'changed' as const,
      facts: { from: fromState, to: toState, by: kind, ...changeFacts(dataText, masking) },
    })),
    ...flows.map(({ startedAt, purpose, state, tries }) => ({
      at: startedAt,
      what: 'flow' as const,
      facts: { flow: purpose, state, 'taken over': tries },
    })),
    ...steps.map(({ runId, step, kind, state, sends, begunAt, doneAt, replyText }) => {
      // A payer's answers and the values of a visit are not shown.
      const stored = kind === 'call' ? replyText : null;
      const endpoint = endpointOf(step);
      return {
        at: begunAt,
        what: 'step' as const,
        facts: {
          flow: purposes.get(runId) ?? null,
          step,
          kind,
          state,
          sends,
          done: doneAt?.toISOString() ?? null,
          ...(stored !== null && {
            reply:
              endpoint === undefined
                ? NOT_SHOWN
                : maskedReply(sealer, { runId, step, replyText: stored }, endpoint, masking),
          }),
        },
      };
    }),
    ...asked.map(({ id: modification, createdAt, kind, state, amount, providerReference }) => ({
      at: createdAt,
      what: 'modification' as const,
      facts: { modification, kind, state, amount: `${amount.text} ${amount.currency}`, reference: providerReference },
    })),
    ...notified.map((each) => ({
      at: each.receivedAt,
      what: 'notification' as const,
      facts: {
        notification: each.id,
        state: each.state,
        detail: maskedText(each.detail, masking),
        tries: each.tries,
        body: maskedNotification(sealer, each, connector?.notifications?.codec ?? 'json'),
      },
    })),
    ...reported.map(
      ({ at, kind, state, reason, providerReference, notificationId, receivedAt, amountText, currency }) => ({
        at: receivedAt ?? at,
        what: 'reported' as const,
        facts: {
          event: kind,
          state,
          reason: maskedText(reason, masking),
          reference: providerReference,
          amount: amountText === null ? null : `${amountText} ${currency ?? ''}`,
          notification: notificationId,
        },
      }),
    ),
    ...sent.map((each) => ({
      at: each.createdAt,
      what: 'callback' as const,
      facts: {
        callback: each.id,
        seq: each.seq,
        state: each.state,
        host: new URL(each.url).host,
        body: maskedCallback(sealer, each, masking),
      },
    })),
    ...deliveries.map(({ at, callbackId, seq, attempt, status, error, durationMs }) => ({
      at,
      what: 'delivery' as const,
      facts: { callback: callbackId, seq, attempt, status, error, ms: durationMs },
    })),
  ];
  return {
    payment: shown(payment, masking),
    entries: entries.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    awaits: awaited(payment, flows, asked, sent),
    actions: await actionsOn(context, payment, flows),
  };
}

const factsSchema = z.record(z.string(), z.json());

/** Facts of a change that may hold words of the provider. */
const WORDS_OF_PROVIDER = ['provider', 'reason', 'why', 'attention'];

const changeFacts = (dataText: string, masking: Masking): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(
    Object.entries(factsSchema.parse(fromJsonText(dataText))).map(([name, value]) => [
      name,
      WORDS_OF_PROVIDER.includes(name) ? maskedValue(value, masking) : value,
    ]),
  );

/** A flow may name a step otherwise than its endpoint, and an endpoint says which fields are visible. */
const NOT_SHOWN = 'Reply not shown: no endpoint of the account’s connector has the name of this step.';

const beginning = (session: Session, request: SessionRequest | undefined, secrets: readonly string[]): StoryEntry => ({
  at: session.createdAt,
  what: 'session',
  facts: {
    session: session.id,
    operation: session.operation,
    payer: session.payerPresence,
    test: session.test,
    expires: session.expiresAt.toISOString(),
    request: maskedRequest(session, request, secrets),
  },
});

/** Why each account of the payment's method was chosen or passed over, by the configuration of now: no account's reasons are stored. */
function routing(
  { directory }: OperatorDeps,
  session: Session,
  request: SessionRequest,
  attempts: readonly Payment[],
  payment: Payment,
): Readonly<Record<string, string>> {
  const profile = directory.merchantOf(session)?.profile;
  const { more = [], ...first } = profile?.methods[payment.methodAlias] ?? { method: payment.method };
  const before = new Map(
    attempts
      .filter(({ payerTry, attempt }) => payerTry === payment.payerTry && attempt < payment.attempt)
      .map((each) => [each.midId, each]),
  );
  const today = session.createdAt.toISOString().slice(0, 10);
  const entries = [first, ...more];
  const chosen = entries.findIndex(({ mid }) => mid === payment.midId);
  const reasonOf = (mid: string, entry: MethodProfile, position: number): string => {
    if (mid === payment.midId) return 'chosen';
    const tried = before.get(mid);
    if (tried !== undefined) return `tried before, as attempt ${tried.attempt}: ${tried.state}`;
    const alone = { ...profile, methods: { [payment.methodAlias]: entry } };
    const checked = directory.registry.validateParsed(
      { ...request, methods: [payment.methodAlias] },
      { today, profile: alone },
    );
    // Networks, mandates and wallets decide as well.
    if (checked.ok)
      return chosen !== -1 && position > chosen
        ? 'accepts the request, and stands behind the chosen account'
        : 'accepts the request; why it was passed over is not stored';
    const [problem] = checked.issues;
    return `does not accept the request: ${problem?.path}: ${problem?.message}`;
  };
  return Object.fromEntries(
    entries.flatMap((entry, position) =>
      entry.mid === undefined ? [] : [[entry.mid, reasonOf(entry.mid, entry, position)]],
    ),
  );
}

const shown = (payment: Payment, masking: Masking): PaymentStory['payment'] => ({
  id: payment.id,
  attempt: payment.attempt,
  state: payment.state,
  unknown: payment.unknown,
  method: payment.method,
  midId: payment.midId,
  amountText: payment.amountText,
  currency: payment.currency,
  merchantReference: payment.merchantReference,
  providerReference: payment.providerReference,
  session: payment.sessionId,
  merchantKey: payment.merchantKey,
  orderNumber: maskedOrderNumber(payment.orderNumber, masking.secrets),
  connectorId: payment.connectorId,
  connectorVersion: payment.connectorVersion,
  reason: maskedText(payment.reason, masking),
  declineCode: payment.declineCode,
  providerStatus: maskedText(payment.providerStatus, masking),
  providerCode: maskedText(payment.providerCode, masking),
  polls: payment.polls,
});

function awaited(
  { pollAt, polls }: Payment,
  flows: readonly FlowRun[],
  modifications: readonly Modification[],
  callbacks: readonly Callback[],
): string[] {
  return [
    ...flows.flatMap(({ state, purpose, suspendedStep }) => {
      if (state === 'running') return [`The flow "${purpose}" is under way.`];
      return state === 'suspended' ? [`The flow "${purpose}" waits for the payer at "${suspendedStep}".`] : [];
    }),
    ...(pollAt === null
      ? []
      : [`The service asks the provider at ${pollAt.toISOString()}. It has asked ${polls} times.`]),
    ...modifications
      .filter(({ state }) => isOpenModification(state))
      .map(
        ({ id, kind, state, pollAt: next }) =>
          `The ${kind} ${id} is ${state}. ${next === null ? 'The service does not ask the provider about it by itself.' : `The service asks the provider at ${next.toISOString()}.`}`,
      ),
    ...callbacks
      .filter(({ state }) => state === 'waiting')
      .map(
        ({ id, nextTryAt, attempts, lastStatus, lastError }) =>
          `The callback ${id} is sent at ${nextTryAt.toISOString()}. It was sent ${attempts} times${attempts === 0 ? '' : `; the last answer: ${lastStatus ?? lastError ?? 'none'}`}.`,
      ),
  ];
}

async function actionsOn(
  context: OperatorDeps,
  payment: Payment,
  flows: readonly FlowRun[],
): Promise<OperatorAction[]> {
  const { state, asideText } = payment;
  const isAtRest = flows.every((flow) => flow.state === 'finished');
  const isOpen = (state === 'created' || state === 'pending') && isAtRest;
  const hasPart = state === 'partially_approved';
  return [
    ...(isOpen ? (['sync', 'resolve'] as const) : []),
    ...(hasPart ? (['accept'] as const) : []),
    ...(hasPart || (await paidBefore(context, payment)) !== undefined ? (['give-back'] as const) : []),
    ...(asideText === null ? [] : (['dismiss'] as const)),
  ];
}

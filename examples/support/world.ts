import {
  newPayment as newPaymentState,
  CardHandle,
  type Connector,
  createRegistry,
  type Method,
  type PaymentCard,
  type SessionRequest,
} from '@railyard/core';
import { paymentInput, type Run } from '@railyard/runtime';
import type { Disk, PaymentRecord, RunRecord } from './disk.ts';
import type { CrashPoints } from './faults.ts';

/** A card as the payer typed it. */
export interface PayerCard {
  readonly number: string;
  readonly cvv: string | undefined;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly holder: string;
}

/** What is given to a scenario: one merchant, one method, one payment. */
export interface Deployment {
  readonly connector: Connector;
  readonly method: Method;
  readonly settings: unknown;
  /** The session request as the merchant sends it. */
  readonly session: unknown;
  /** Values of the MID, by parameter name or session path. */
  readonly mid?: Readonly<Record<string, unknown>>;
  readonly card?: PayerCard;
}

/** The deployment with what survives a crash. */
export interface World extends Deployment {
  readonly disk: Disk;
  readonly points: CrashPoints;
  /** Every log line, over all restarts. */
  readonly log: string[];
  /** Milliseconds since 1970; moved by the scenario. */
  now: number;
}

const PAYMENT_ID = '7b0c6a52-6c55-4b8e-9a53-0f6c0a9d1c11';

/** What the request, the MID and the payer's answers give for the method. */
export function resolve({ method, mid = {} }: World, session: SessionRequest, answers: PaymentRecord['answers']) {
  return createRegistry([method]).resolve(session, method.key, { mid, payer: answers });
}

/** The payment of an accepted session. */
export function newPayment({ method, mid = {}, session: input }: World): PaymentRecord {
  const profile = { methods: { [method.key]: { method: method.key, supplied: Object.keys(mid) } } };
  const validation = createRegistry([method]).validate(input, { today: '2026-11-21', profile });
  if (!validation.ok) throw new Error(JSON.stringify(validation.issues));
  const { session } = validation;
  return {
    id: PAYMENT_ID,
    session,
    answers: {},
    asks: [],
    state: newPaymentState(session.amount),
    references: [],
    kept: {},
    runs: [],
    events: [],
    early: [],
    quarantined: [],
    refunds: [],
    polls: 0,
  };
}

/** A run as the runtime drives it: the same on every drive, because everything in it is kept. */
export function runOf(world: World, record: RunRecord): Run {
  const { connector, method, settings } = world;
  const urls = { notify: 'https://pay.example/notify/m1', return: 'https://pay.example/return/7b0c6a52' };
  const now = record.began;
  const context = { settings, now, urls, ...paymentOf(world, record) };
  return { id: record.id, connector, method, flow: record.flow, settings, mid: 'm1', context };
}

function paymentOf(world: World, { flow, on, amount, remaining }: RunRecord): object {
  const { disk, card } = world;
  const { payment } = disk;
  if (payment === undefined) throw new Error('There is no payment yet.');
  const { session, answers, id, kept } = payment;
  const resolution = resolve(world, session, answers);
  if (resolution.kind !== 'complete') throw new Error(`The payment's fields are ${resolution.kind}.`);
  const facts = { session, resolved: resolution.value, id, reference: `a1-${id.slice(0, 18)}`, test: true };
  const input = paymentInput({ ...facts, ...(card && { card: handles(card) }) });
  if (flow === session.operation) return { payment: input };
  const original = { ...input, kept, ...(on !== undefined && { providerReference: on }) };
  return { payment: original, ...(amount && { amount }), ...(remaining && { remaining }) };
}

function handles({ expiryMonth, expiryYear, holder }: PayerCard): PaymentCard {
  return { number: new CardHandle('number'), cvv: new CardHandle('cvv'), expiryMonth, expiryYear, holder };
}

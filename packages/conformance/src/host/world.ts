import { createHash } from 'node:crypto';
import type { Connector, Method, PaymentCard, PaymentWallet } from '@railyard/core';
import { binOf, CardHandle, type CardPart, samplePayerClient } from '@railyard/core/driver';
import { newPayment as newPaymentState } from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import { createRegistry, type Registry, resolveMethod, type Validation } from '@railyard/core/registry';
import { drive, paymentInput, receiveNotification, type Run } from '@railyard/runtime';
import type { SampleAuthentication, SampleCard, SampleWallet } from '../types.ts';
import type { Disk, PaymentRecord, RunRecord } from './disk.ts';
import type { CrashPoints } from './faults.ts';

/** The runtime that runs connectors; in the kit's own tests a broken one. */
export interface Machinery {
  readonly drive: typeof drive;
  readonly receive: typeof receiveNotification;
}

export const RUNTIME: Machinery = { drive, receive: receiveNotification };

/** The deployment in a scenario: one merchant, one method, one payment. */
export interface Deployment {
  readonly connector: Connector;
  readonly method: Method;
  readonly settings: unknown;
  /** The session request as the merchant sends it. */
  readonly session: unknown;
  /** Values of the MID, by parameter name or session path. */
  readonly mid?: Readonly<Record<string, unknown>>;
  readonly card?: SampleCard;
  readonly wallet?: SampleWallet;
  readonly authentication?: SampleAuthentication;
  /** The number of the card that a transfer pays to. */
  readonly payeeCard?: string;
  /** The payer's browser is not known. */
  readonly client?: false;
  readonly machinery?: Machinery;
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

export const TODAY = '2026-11-21';
export const BEGINNING = Date.parse('2026-11-21T10:00:00Z');
export const URLS = { notify: 'https://pay.example/notify/m1', return: 'https://pay.example/return/7b0c6a52' };
const PAYMENT_ID = '7b0c6a52-6c55-4b8e-9a53-0f6c0a9d1c11';
/** Our reference of the payment that is played, and of a charge that follows it. */
export const REFERENCE = '3d7f1c06-92ab-4c5e-b1d8-5a0e6f94c273';
const LATER_REFERENCE = 'c41e8b75-0f3a-4d92-8e67-b2d95a1c7f04';

const registries = new WeakMap<Method, Registry>();

/** The registry of one method; made once, because a play begins thousands of times. */
export function registryOf(method: Method): Registry {
  const made = registries.get(method) ?? createRegistry([method]);
  registries.set(method, made);
  return made;
}

const validations = new WeakMap<object, Map<string, Validation>>();

/** Whether the request is accepted where the MID supplies its values. */
export function validate({ method, mid = {} }: Pick<Deployment, 'method' | 'mid'>, session: unknown): Validation {
  if (typeof session !== 'object' || session === null) return validated({ method, mid }, session);
  const known = validations.get(session) ?? new Map<string, Validation>();
  validations.set(session, known);
  const name = JSON.stringify([method.key, mid]);
  const validation = known.get(name) ?? validated({ method, mid }, session);
  known.set(name, validation);
  return validation;
}

function validated({ method, mid = {} }: Pick<Deployment, 'method' | 'mid'>, session: unknown) {
  const profile = { methods: { [method.key]: { method: method.key, supplied: Object.keys(mid), values: { ...mid } } } };
  return registryOf(method).validate(session, { today: TODAY, profile });
}

/** The method's values from the request, the MID and the payer's answers. */
export function resolve(
  { method, mid = {} }: Pick<Deployment, 'method' | 'mid'>,
  session: SessionRequest,
  answers: PaymentRecord['answers'],
) {
  return resolveMethod(registryOf(method), session, method.key, { mid, payer: answers, today: TODAY });
}

/** The payment of an accepted session. */
export function newPayment({ session: input, ...deployment }: World): PaymentRecord {
  const validation = validate(deployment, input);
  if (!validation.ok) throw new Error(JSON.stringify(validation.issues));
  const { session } = validation;
  return {
    id: PAYMENT_ID,
    session,
    answers: {},
    asks: [],
    state: { ...newPaymentState(session.amount), currency: session.order.currency },
    references: [],
    agreement: {},
    connectorState: {},
    runs: [],
    events: [],
    early: [],
    quarantined: [],
    modifications: [],
    polls: 0,
  };
}

/** A run as the runtime drives it: the same on every drive, because everything in it is kept. */
export function runOf(world: World, record: RunRecord): Run {
  const { connector, method, settings } = world;
  const context = { settings, now: record.began, urls: URLS, ...contextOf(world, record) };
  return { id: record.id, connector, method, flow: record.flow, settings, mid: 'm1', context };
}

function contextOf(world: World, record: RunRecord): object {
  const { payment } = world.disk;
  if (payment === undefined) throw new Error('There is no payment yet.');
  const { session, answers, agreement, connectorState } = payment;
  const input = inputOf(world, session, answers);
  const { flow, on, amount, remaining, held, about } = record;
  if (flow === session.operation) return { payment: input };
  const original = { ...input, connectorState, ...(on !== undefined && { providerReference: on }) };
  if (flow === 'recurring') {
    const { card: _card, wallet: _wallet, payeeCard: _payeeCard, authentication: _done, ...later } = input;
    return {
      payment: { ...later, id: uuidOf(record.id), merchantReference: LATER_REFERENCE, amount, auth: held === true },
      initial: { ...original, agreement },
    };
  }
  if (about !== undefined) {
    const modification = payment.modifications.find((each) => each.run === about);
    const { modification: name, reference } = modification ?? {};
    const known = reference === undefined ? {} : { providerReference: reference };
    // A charge of a mandate is a payment of its own, and looked up as one.
    if (name === 'recurring')
      return { payment: { ...input, connectorState, merchantReference: LATER_REFERENCE, ...known } };
    return { payment: original, modification: { name, id: uuidOf(about), amount: modification?.amount, ...known } };
  }
  if (flow === 'status' || flow === 'renew' || flow === 'withdraw') return { payment: original };
  return {
    payment: original,
    id: uuidOf(record.id),
    ...(amount && { amount }),
    ...(remaining && { remaining }),
    ...(held !== undefined && { held }),
  };
}

/** Inputs made before, by session: a play begins its payment thousands of times. */
const inputs = new WeakMap<object, Map<string, ReturnType<typeof paymentInput>>>();

/** The payment as a flow gets it. */
export function inputOf(deployment: Deployment, session: SessionRequest, answers: PaymentRecord['answers']) {
  const { card, wallet, authentication, payeeCard, client, mid, method, session: sent } = deployment;
  if (typeof sent !== 'object' || sent === null) throw new TypeError('The session is no object.');
  const known = inputs.get(sent) ?? new Map<string, ReturnType<typeof paymentInput>>();
  inputs.set(sent, known);
  const name = JSON.stringify([method.key, answers, mid, card, wallet, authentication, payeeCard, client]);
  const before = known.get(name);
  if (before !== undefined) return before;
  const resolution = resolve(deployment, session, answers);
  if (resolution.kind !== 'complete') throw new Error(`The payment's fields are ${resolution.kind}.`);
  const input = paymentInput({
    session,
    resolved: resolution.value,
    id: PAYMENT_ID,
    merchantReference: REFERENCE,
    test: true,
    ...(client !== false && { client: samplePayerClient }),
    ...(card && { card: handles(card) }),
    ...(wallet && { wallet: walletHandles(wallet) }),
    ...(authentication && { authentication: { ...authentication, cryptogram: new CardHandle('cryptogram') } }),
    ...(payeeCard !== undefined && { payeeCard: { number: new CardHandle('payee-number') } }),
  });
  known.set(name, input);
  return input;
}

function handles({ number, brand, coBranded, expiryMonth, expiryYear, holder, cvv, stored }: SampleCard): PaymentCard {
  const secret = cvv === undefined ? {} : { cvv: new CardHandle('cvv') };
  const known = {
    bin: binOf(number),
    ...(brand !== undefined && { brand }),
    ...(coBranded && { coBranded }),
    ...(stored && { stored }),
  };
  return { number: new CardHandle('number'), ...secret, ...known, expiryMonth, expiryYear, holder };
}

function walletHandles({ kind, panType, token }: SampleWallet): PaymentWallet {
  return {
    kind,
    ...(panType && { panType }),
    ...(token !== undefined && { token: new CardHandle('wallet-token') }),
  };
}

/** The value of a part of a sample's cards, wallet or authentication. */
export function partOf(
  { card, wallet, payeeCard, authentication }: Pick<Deployment, 'card' | 'wallet' | 'payeeCard' | 'authentication'>,
  part: CardPart,
): string | undefined {
  if (part === 'payee-number') return payeeCard;
  if (part === 'wallet-token') return wallet?.token;
  return part === 'cryptogram' ? authentication?.cryptogram : card?.[part];
}

/** A UUID that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

import type * as z from 'zod';
import type { Method, OperationSpecs } from '../method/define-method.ts';
import { methodProblem } from '../method/method-problem.ts';
import type { Operation } from '../method/operation.ts';
import type { Money } from '../money/money.ts';
import {
  type AmountFlowName,
  type ModificationFlowName,
  type ModificationName,
  modificationFlows,
  type WholeFlowName,
} from '../payment/modifications.ts';
import { type CONTRACT_VERSION, contractProblem } from './contract.ts';
import { type AnyEndpoint, call, type Endpoint } from './endpoint.ts';
import type { Steps } from './flow.ts';
import type { Notifications } from './notification.ts';
import type { AuthenticationName } from '../payment/optional-fields.ts';
import type { Outcome } from './outcome.ts';
import type {
  FlowContext,
  InitialPayment,
  LookedUpPayment,
  OriginalPayment,
  PaymentInput,
  RecurringPayment,
} from './payment-input.ts';
import type { StatusReport } from './given-back.ts';
import type { StatusTables } from './statuses.ts';
import { baseUrlIn, tlsIn } from './setting-names.ts';
import type { Tls } from './wire.ts';

type OperationFlow<Spec, S> = (context: FlowContext<S> & { readonly payment: PaymentInput<Spec> }) => Steps<Outcome>;
type ModificationFlow<S> = (context: FlowContext<S> & { readonly payment: OriginalPayment }) => Steps<Outcome>;
type AmountFlow<S> = (
  context: FlowContext<S> & {
    readonly payment: OriginalPayment;
    /** Ours for this action, unique for ever: a UUID in lower case, as `payment.merchantReference`. */
    readonly id: string;
    /** The amount to move now. */
    readonly amount: Money;
    /** The amount that could still be moved, this one included. */
    readonly remaining: Money;
  },
) => Steps<Outcome>;

type RecurringFlow<S> = (
  context: FlowContext<S> & {
    /** The new payment. */
    readonly payment: RecurringPayment;
    /** The payment that began the mandate, with the agreement of its outcome. */
    readonly initial: InitialPayment;
  },
) => Steps<Outcome>;

type VoidFlow<S> = (
  context: FlowContext<S> & {
    readonly payment: OriginalPayment;
    /** Ours for this action, unique for ever: a UUID in lower case, as `payment.merchantReference`. */
    readonly id: string;
    /** `true`: lets go of a hold that was not captured; `false`: takes back money before it is cleared. */
    readonly held: boolean;
  },
) => Steps<Outcome>;

/** An action on a payment that is looked up. */
export interface LookedUpModification {
  readonly name: ModificationName;
  /** Ours, as the action's flow was given it. */
  readonly id: string;
  readonly amount: Money;
  /** The provider's reference of the action; absent after a reply was lost. */
  readonly providerReference?: string;
}

/** An action that moves an amount, and whether a part of the rest may be asked. */
export interface AmountModification<S> {
  readonly partial: boolean;
  readonly flow: AmountFlow<S>;
}

/**
 * For how many hours a capture, refund or void (of a hold too) may be pending at this provider: until then it is looked up now and then, and
 * no operator is called. Without it one is called once the lookups are used up, after about a day and a half.
 */
export type PendingForHours = { readonly [F in ModificationFlowName]?: number };

type AmountFlows<S> = { readonly [F in AmountFlowName]?: AmountModification<S> };
type WholeFlows<S> = { readonly [F in WholeFlowName]?: VoidFlow<S> };

/**
 * The flows beside a method's operations. One that is absent is unsupported.
 *
 * @example const shared = { *status({ payment }) { … } } satisfies FollowUpFlows<z.output<typeof settings>>;
 */
export interface FollowUpFlows<S> extends AmountFlows<S>, WholeFlows<S> {
  /** Charges again what a payment with `recurring_init` agreed to; the outcome is the new payment's. */
  readonly recurring?: RecurringFlow<S>;
  /** Asks the provider what became of a payment: by `payment.providerReference`, or by our own reference where it is absent. */
  readonly status?: (context: FlowContext<S> & { readonly payment: LookedUpPayment }) => Steps<StatusReport>;
  /** Asks the provider what became of an action on a payment; the outcome is the action's, not the payment's. */
  readonly modificationStatus?: (
    context: FlowContext<S> & { readonly payment: OriginalPayment; readonly modification: LookedUpModification },
  ) => Steps<Outcome>;
  /** A new code in place of an expired one; the old reference stays watched. */
  readonly renew?: ModificationFlow<S>;
  /**
   * Takes back at the provider what the payer was given and has not paid: a code, an invoice, a slip, a prompt. It runs once the payer pays
   * another way, or goes back to the shop. The outcome is the payment's: `declined` once it cannot be paid any more, `settled` where it was
   * paid first. Every other outcome leaves the payment as it is, and the provider is asked.
   *
   * @example *withdraw({ payment }) { return yield* api.outcome(cancelOrder, payment.providerReference, read) }
   */
  readonly withdraw?: ModificationFlow<S>;
  readonly pendingForHours?: PendingForHours;
  /**
   * The provider's own rules for texts among the method's parameters, by name. They hold for the accounts of this connector alone, and are
   * checked when the account is configured and when a session or a command is made.
   */
  readonly texts?: TextRules;
  /**
   * The flows send `payment.authentication` to the provider. A merchant's own 3-D Secure is taken by accounts of such flows alone.
   *
   * @example authentication: { sends: ['eci', 'dsTransID', 'protocolVersion', 'transStatus'], needs: ['dsTransID'] }
   */
  readonly authentication?: SentAuthentication;
  /**
   * The networks that the flows can name to the provider where the payer chose one of a co-branded card (`payment.card.coBranded`). Without it
   * the payer is not asked, and the provider decides.
   *
   * @example cardBrands: ['cartes_bancaires', 'visa', 'mastercard']
   */
  readonly cardBrands?: readonly string[];
}

/** The values of an authentication that a provider takes. */
export interface SentAuthentication {
  /** Those that the flows send beside the cryptogram. */
  readonly sends: readonly AuthenticationName[];
  /** Those without which the provider takes no cryptogram of 3-D Secure. */
  readonly needs?: readonly AuthenticationName[];
}

/** A text that a provider takes. */
export interface TextRule {
  readonly pattern: RegExp;
  /** For the merchant, as a whole sentence: which texts the provider takes. */
  readonly says: string;
}

export type TextRules = Readonly<Record<string, TextRule>>;

/** The result of a check of an account, in words for its operator, without secrets. */
export type Checked = { readonly works: true } | { readonly works: false; readonly why: string };

/** One flow per operation of the method, and the follow-up flows. */
export type Flows<O extends OperationSpecs, S> = {
  readonly [P in keyof O & Operation]?: OperationFlow<O[P], S>;
} & FollowUpFlows<S>;

type AnyAmountFlows = {
  readonly [F in AmountFlowName]?: { readonly partial: boolean; flow(context: unknown): Steps<Outcome> };
};
/** A method, whose parameter is compared both ways: flows of different methods fit in one list. */
interface AnyFlow {
  flow(context: unknown): Steps<Outcome>;
}
type AnyWholeFlows = { readonly [F in WholeFlowName]?: AnyFlow['flow'] };

/** A flow as drivers and lists see it. Method syntax, so that flows of different methods fit in one list. */
export interface AnyFlows extends AnyAmountFlows, AnyWholeFlows {
  purchase?(context: unknown): Steps<Outcome>;
  debit?(context: unknown): Steps<Outcome>;
  credit?(context: unknown): Steps<Outcome>;
  transfer?(context: unknown): Steps<Outcome>;
  renew?(context: unknown): Steps<Outcome>;
  withdraw?(context: unknown): Steps<Outcome>;
  recurring?(context: unknown): Steps<Outcome>;
  status?(context: unknown): Steps<StatusReport>;
  modificationStatus?(context: unknown): Steps<Outcome>;
  readonly pendingForHours?: PendingForHours;
  readonly texts?: TextRules;
  readonly authentication?: SentAuthentication;
  readonly cardBrands?: readonly string[];
}

export interface Served {
  readonly method: Method;
  readonly flows: AnyFlows;
}

export interface Connector extends StatusTables {
  readonly id: string;
  readonly contract: typeof CONTRACT_VERSION;
  /** The package's version; stored with every run. */
  readonly version: string;
  readonly title: string;
  readonly settings: z.ZodObject;
  readonly endpoints: readonly AnyEndpoint[];
  readonly serves: readonly Served[];
  readonly notifications?: Notifications<unknown, unknown>;
  readonly lookups?: 'none';
  baseUrl(settings: unknown): string;
  /**
   * Asks the provider whether an account works: credentials, permissions. It calls endpoints that are `safe` and asks no payer; it is run
   * by `railyard doctor`, never for a payment.
   */
  check?(context: FlowContext<unknown>): Steps<Checked>;
  /** The merchant's certificate, and the bank's own authority, for the connections of a MID. */
  tls?(settings: unknown): Tls | undefined;
}

/** Pairs a method with its flows, so that each flow knows the parameters of its method. */
export type Serve<S> = <K extends string, O extends OperationSpecs>(method: Method<K, O>, flows: Flows<O, S>) => Served;

interface Declaration<S extends z.ZodObject> extends StatusTables {
  readonly id: string;
  readonly contract: typeof CONTRACT_VERSION;
  readonly version: string;
  readonly title: string;
  /** The MID's credentials and defaults; mark credentials with `secret`. */
  readonly settings: S;
  /** The setting `base_url` unless given. */
  baseUrl?(settings: z.output<S>): string;
  /** Whether an account works, by endpoints that are `safe`. Where there is none, a made-up payment is looked up. */
  check?(context: FlowContext<z.output<S>>): Steps<Checked>;
  readonly endpoints: readonly Endpoint<z.output<S>, never, unknown>[];
  readonly serves: (serve: Serve<z.output<S>>) => readonly Served[];
  readonly notifications?: Notifications<z.output<S>, unknown>;
  /**
   * `none`: the provider has no endpoint that says what became of a payment, so that its notifications alone report it. They must be proven.
   * Adyen's Checkout API is one.
   */
  readonly lookups?: 'none';
  /** The settings `certificate`, `certificate_key` and `ca`, where there are such, unless given. */
  tls?(settings: z.output<S>): Tls | undefined;
}

/**
 * Declares a provider adapter: one value with everything the runtime, the page, the simulator and the documentation need.
 *
 * @throws Error for a wrong contract version, a flow for an operation that the method does not have, a repeated endpoint name, or a method
 * that cannot work: a key that is no name, parameters that accept any name, a variant that no need chooses, an impossible limit.
 */
export function defineConnector<S extends z.ZodObject>(declared: Declaration<S>): Connector {
  const serves = declared.serves((method, flows) => ({ method, flows }));
  const { id, contract, version, title, settings, endpoints, statuses, check, notifications, lookups } = declared;
  const { effectStatuses, baseUrl = baseUrlIn(id, settings), tls = tlsIn(settings) } = declared;
  const problem = contractProblem(declared);
  if (problem !== undefined) throw new Error(problem);
  refuseRepeats(
    id,
    'endpoint',
    endpoints.map((endpoint) => endpoint.name),
  );
  refuseRepeats(
    id,
    'method',
    serves.map((served) => served.method.key),
  );
  for (const { method, flows } of serves) {
    refuseUnsound(method);
    refuseUnrecognisedFlows(id, method, flows);
  }
  if (lookups === 'none') refuseUnproven(id, serves, notifications);
  for (const { name, find } of endpoints)
    for (const each of find?.endpoints ?? [])
      if (each.repeat !== 'safe')
        throw new Error(`Connector ${id}: "${name}" is found by "${each.name}", which must be declared safe.`);
  return {
    id,
    contract,
    version,
    title,
    settings,
    endpoints,
    statuses,
    ...(effectStatuses && { effectStatuses }),
    serves,
    baseUrl,
    ...(check && { check }),
    ...(notifications && { notifications }),
    ...(lookups && { lookups }),
    ...(tls && { tls }),
  };
}

function refuseRepeats(id: string, what: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(`Connector ${id} declares the ${what} "${repeated}" twice. Give each its own name.`);
}

function refuseUnsound(method: Method): void {
  const problem = methodProblem(method);
  if (problem !== undefined) throw new Error(problem);
}

const FOLLOW_UP_FLOWS = new Set<string>([
  ...modificationFlows(),
  'recurring',
  'status',
  'modificationStatus',
  'renew',
  'withdraw',
]);

function refuseUnrecognisedFlows(id: string, method: Method, flows: AnyFlows): void {
  for (const name of Object.keys(flows))
    if (
      name !== 'pendingForHours' &&
      name !== 'texts' &&
      name !== 'authentication' &&
      name !== 'cardBrands' &&
      !FOLLOW_UP_FLOWS.has(name) &&
      !Object.hasOwn(method.operations, name)
    )
      throw new Error(`Connector ${id} has a flow "${name}", but the method "${method.key}" has no such operation.`);
}

function refuseUnproven(
  id: string,
  serves: readonly Served[],
  notifications: Notifications<never, unknown> | undefined,
) {
  if (serves.some(({ flows }) => flows.status !== undefined || flows.modificationStatus !== undefined))
    throw new Error(
      `Connector ${id} declares that there are no lookups, and has a flow that looks up. Leave one of both out.`,
    );
  if (notifications === undefined || notifications.verify.confirm !== undefined)
    throw new Error(`Connector ${id} declares that there are no lookups. Then its notifications have to be proven.`);
}

/**
 * An operation that is a single call.
 *
 * @example oneCall(createCharge, ({ payment }) => ({ amount: minorUnits(payment.amount) }), (reply) => statuses.read(…))
 */
export function oneCall<C, S, I, R, T>(
  endpoint: Endpoint<S, I, R>,
  build: (context: C) => I,
  toOutcome: (reply: R, context: C) => T,
): (context: C) => Steps<T> {
  return function* (context) {
    const reply = yield* call(endpoint, build(context));
    return toOutcome(reply, context);
  };
}

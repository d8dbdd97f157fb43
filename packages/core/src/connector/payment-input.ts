import type * as z from 'zod';
import type { Method, OperationSpec, OperationSpecs } from '../method/define-method.ts';
import type { Operation } from '../method/operation.ts';
import type { Money } from '../money/money.ts';
import type { SessionRequest } from '../session/parse-session.ts';
import type { PayeeCard, PaymentAuthentication, PaymentCard, PaymentWallet } from './card-handle.ts';
import type { ConnectorValues } from './outcome.ts';
import type { PayerClient } from './payer-client.ts';

/** The parameters of a method and operation, one member per variant: `payment.variant` narrows `payment.parameters`. */
export type ParametersOf<Spec> = Spec extends { parameters: infer P extends z.ZodObject }
  ? { readonly variant: undefined; readonly parameters: z.output<P> }
  : Spec extends { variants: { cases: infer C extends Readonly<Record<string, z.ZodObject>> } }
    ? { [K in keyof C & string]: { readonly variant: K; readonly parameters: z.output<C[K]> } }[keyof C & string]
    : never;

type NeedsOf<Spec> = Spec extends { needs: infer N extends Readonly<Record<string, z.ZodType>> }
  ? { readonly [P in keyof N]: z.output<N[P]> }
  : Readonly<Record<never, never>>;

/** The amount of a payment: `payer` where the payer chooses it at the provider. */
type AmountOf<Spec> = Spec extends { openAmount: true } ? Money | 'payer' : Money;

/** Operations declared with `card: true` always have one. */
type CardOf<Spec> = (Spec extends { card: true } ? { readonly card: PaymentCard } : unknown) &
  (Spec extends { payeeCard: true } ? { readonly payeeCard: PayeeCard } : unknown);

interface PaymentBase {
  /** The public payment id, a UUID. */
  readonly id: string;
  /** Our reference for this attempt, unique for ever: a UUID in lower case. `@railyard/core/formats` writes it for providers that take none. */
  readonly merchantReference: string;
  readonly operation: Operation;
  readonly order: { readonly number: string; readonly currency: string; readonly description: string };
  readonly customer?: SessionRequest['customer'];
  readonly billing_address?: SessionRequest['billing_address'];
  readonly payee?: SessionRequest['payee'];
  readonly payee_billing_address?: SessionRequest['payee_billing_address'];
  readonly card?: PaymentCard;
  readonly wallet?: PaymentWallet;
  readonly client?: PayerClient;
  /** `true`: the merchant's test key was used. */
  readonly test: boolean;
}

/** The payment as a flow sees it. */
export type PaymentInput<Spec = OperationSpec> = PaymentBase & {
  readonly amount: AmountOf<Spec>;
  /** `true`: hold the money, to be captured later (protocol: `auth`, purchases only). */
  readonly auth: boolean;
  /** `true`: further charges will follow; the outcome's `agreement` is what they need (protocol: `recurring_init`). */
  readonly recurring_init: boolean;
  /** `true`: the payer's card is being saved (protocol: `req_token`). */
  readonly req_token: boolean;
  /** `true`: the account supports Card-on-File; a card that is saved is agreed with the provider for later charges (protocol: card_on_file_support). */
  readonly card_on_file: boolean;
  /** Whether the payer of a saved card is there, where the merchant says it (protocol: payer_present). */
  readonly payer_present?: boolean;
  /** An authentication that was done elsewhere; only where the flows declare that they send it (`authentication`), or beside a wallet's number of a device. */
  readonly authentication?: PaymentAuthentication;
  readonly needed: NeedsOf<Spec>;
} & ParametersOf<Spec> &
  CardOf<Spec>;

/** The known facts of a payment that is looked up. */
export interface LookedUpPayment extends PaymentBase {
  /** `true`: the merchant asked for a hold. */
  readonly auth: boolean;
  readonly amount: Money | 'payer';
  /** The provider's reference; absent after a reply was lost, when only our own reference is known. */
  readonly providerReference?: string;
  /** The values that earlier outcomes of the payment and of its modifications gave. */
  readonly connectorState: ConnectorValues;
}

/** The payment that an action works on. */
export interface OriginalPayment extends LookedUpPayment {
  readonly providerReference: string;
}

/** The payment that began a mandate, as a later charge of it sees it. */
export interface InitialPayment extends OriginalPayment {
  /** The values that its outcome gave for later charges. */
  readonly agreement: ConnectorValues;
}

/** A later charge of a mandate: a payment of its own, without a session and without the payer. */
export interface RecurringPayment extends PaymentBase {
  readonly amount: Money;
  /** `true`: hold the money, to be captured later. */
  readonly auth: boolean;
}

/** Beside payment and settings: everything that a flow may not find out by itself. */
export interface FlowContext<S> {
  readonly settings: S;
  /** When the flow began, ISO 8601 in UTC; the same on every resume. */
  readonly now: string;
  readonly urls: {
    /** Where the provider sends its notifications. */
    readonly notify: string;
    /** Where a visit comes back to. */
    readonly return: string;
  };
}

/**
 * The argument of a flow of its own, outside of `serves`; also of several methods or operations.
 *
 * @example function* purchase({ payment, urls }: ContextOf<Settings, typeof pix, 'purchase'>): Steps<Outcome> { … }
 */
export type ContextOf<S, M extends Method, O extends Operation> = FlowContext<S> & {
  readonly payment: PaymentInput<SpecOf<M, O>>;
};

/** An operation of a method, for flows in a file of their own. @example PaymentInput<SpecOf<typeof pix, 'purchase'>> */
export type SpecOf<M extends Method, O extends Operation> = M['operations'] extends OperationSpecs
  ? M['operations'][O]
  : never;

import type { Connector, Method, Outcome, PayerText, StatusReport } from '@railyard/core';
import type { CardHandle, CollectEffect, VisitEffect } from '@railyard/core/driver';
import type { ModificationFlowName } from '@railyard/core/payment';
import type { Option } from '@railyard/core/registry';
import type { Credentials } from './credentials.ts';
import type { Sighting } from './drift/sighting.ts';
import type { Journal } from './journal.ts';
import type { Transport } from './transport.ts';

/** The flows of a connector that can be driven. */
export type FlowName =
  | 'purchase'
  | 'debit'
  | 'credit'
  | 'transfer'
  | ModificationFlowName
  | 'recurring'
  | 'status'
  | 'modificationStatus'
  | 'renew'
  | 'withdraw';

/** One run of one flow. The same run may be driven many times; its journal decides where it goes on. */
export interface Run {
  /** The journal's address, unique for ever. */
  readonly id: string;
  readonly connector: Connector;
  readonly method: Method;
  readonly flow: FlowName;
  /** Settings of the MID, as the connector's schema parsed them. */
  readonly settings: unknown;
  /** Which MID the settings belong to; credentials are kept per MID. */
  readonly mid: string;
  /** `{ payment, settings, now, urls, … }`: the same on every drive. */
  readonly context: object;
}

/** The services that a run needs from its host. */
export interface Host {
  readonly journal: Journal;
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Milliseconds since 1970, for signatures that cover the time. Default: the machine's clock. */
  readonly now?: () => number;
  /** Opens a part of the payment's card; `undefined` where it is no longer held. */
  readonly openCard?: (handle: CardHandle) => string | undefined;
  /** Whether digits are a number of the payment's cards: what a provider repeats of them is masked, also where `openCard` opens none. */
  readonly isCardNumber?: (digits: string) => boolean;
  readonly log?: (line: CallLog) => void;
  /** Counts what replies have that their connector does not declare; names only. It is called while a payment waits. */
  readonly drift?: (sighting: Sighting) => void;
}

/** One provider call for the log: masked, except for what the endpoint names as visible; in that no number is as long as a card's. */
export interface CallLog {
  readonly event: 'provider-call';
  readonly connector: string;
  readonly endpoint: string;
  readonly run: string;
  readonly step: string;
  readonly result: 'known' | 'unrecognised' | 'lost' | 'not-sent';
  readonly status?: number;
  readonly why?: string;
  readonly request: unknown;
  readonly reply?: unknown;
  /** The reply's headers that the endpoint declares. */
  readonly headers?: unknown;
}

/** The answer of the payer or the provider to a suspended run. */
export type Signal =
  | { readonly step: string; readonly values: Readonly<Record<string, unknown>> }
  | { readonly step: string; readonly resend: true }
  /** A visit, found by its reference instead of its step. */
  | { readonly reference: string; readonly values: Readonly<Record<string, unknown>> };

export interface SignalProblem {
  readonly field: string;
  readonly message: string;
}

/** Milliseconds for which the provider asked not to be asked again (`Retry-After`), an hour at most. */
export interface RetryAfter {
  readonly retryAfterMs?: number;
}

export interface TurnedAway extends RetryAfter {
  /** The provider answered 429: the step was not taken, and no other one is in doubt. */
  readonly turnedAway?: true;
}

export type DriveResult =
  | ({ readonly kind: 'done'; readonly outcome: Outcome } & RetryAfter)
  | { readonly kind: 'reported'; readonly report: StatusReport }
  | { readonly kind: 'suspended'; readonly nextAction: NextAction; readonly problems: readonly SignalProblem[] }
  /** Drive again later: the provider could not be reached, or a step that may be repeated has no reply yet. */
  | ({ readonly kind: 'interrupted'; readonly why: string; readonly mayHaveMoved: boolean } & TurnedAway)
  /** The connector is at fault. */
  | { readonly kind: 'failed'; readonly error: Error; readonly mayHaveMoved: boolean };

/** The payer's next action as plain data, for the page. */
export type NextAction = NextActionKind & {
  /** No money moves unless the run goes on from here: the payer may turn back. */
  readonly mayTurnBack: boolean;
};

type NextActionKind =
  | {
      readonly kind: 'collect';
      readonly step: string;
      readonly fields: readonly NextActionField[];
      readonly error?: PayerText;
      readonly resend: boolean;
    }
  | ({
      readonly kind: 'visit';
      /** The values come back behind the `#` of the address, which a browser sends to no server. */
      readonly inFragment?: true;
    } & Pick<VisitEffect, 'step' | 'purpose' | 'url' | 'method' | 'fields' | 'reference'>);

export interface NextActionField {
  readonly name: string;
  readonly label: PayerText;
  readonly input: string;
  readonly required: boolean;
  /** The page masks the entry. */
  readonly secret?: true;
  readonly help?: PayerText;
  readonly autocomplete?: string;
  readonly options?: readonly Option[];
}

export type PayerEffect = CollectEffect | VisitEffect;

import type { DeclineCode, Operation } from '@railyard/core';
import type { AuthenticationValues } from '@railyard/core/payment';
import type { ConnectorValues } from '@railyard/core/driver';
import type { Simulation } from '@railyard/core/simulation';
import type { FlowName } from '@railyard/runtime';
import type { ProviderDouble } from './provider/double.ts';

/** The levels of a connector. Each level holds those before it. */
export const LEVELS = ['required', 'recommended', 'excellent'] as const;
export type Level = (typeof LEVELS)[number];

/** The result of one check. */
export interface CheckResult {
  /** In kebab case; stable, so that a report of one version can be compared with another's. */
  readonly id: string;
  /** The subject of the check: `schema`, `crash`, `notifications`, … */
  readonly subject: string;
  /** The property that holds where the check passes, in the present tense. */
  readonly title: string;
  readonly level: Level;
  /** `skipped`: it looked at nothing. A skipped check counts as passed nowhere. */
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of a skipped check, `false`: the connector's own declarations leave nothing to check, so that no level asks for it. */
  readonly applicable: boolean;
  /** Of a failure: what is wrong and what to do. Of a skipped check: why it was. */
  readonly why?: string;
  /** Where the first problem is: `methods.pix.purchase.fine`, `endpoints.create-charge`, `settings.api_key`. */
  readonly path?: string;
}

export interface ConformanceReport {
  /** The connector's id. */
  readonly connector: string;
  /** The highest level whose checks passed, and those of the levels before it: each that the connector's declarations leave something to check. */
  readonly level: Level | 'failed';
  readonly results: readonly CheckResult[];
  /** How long all of it took. */
  readonly milliseconds: number;
}

/** A card as a payer types it. Use test numbers only. */
export interface SampleCard {
  readonly number: string;
  readonly cvv?: string | undefined;
  /** The network as flows are told it: `visa`, `mastercard` … */
  readonly brand?: string;
  /** `true`: it has several networks, and the payer chose `brand`. */
  readonly coBranded?: true;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly holder: string;
  /** The card was saved before. */
  readonly stored?: true;
}

/** A digital wallet that a payer pays with, as the service has read its token. Made-up proofs only. */
export interface SampleWallet {
  readonly kind: 'applepay' | 'googlepay';
  /** The token, where the provider opens it. */
  readonly token?: string;
  readonly panType?: 'dpan' | 'fpan';
}

/** An authentication that was done elsewhere: a merchant's own 3-D Secure, or that of a wallet's number of a device. Made-up proofs only. */
export interface SampleAuthentication extends AuthenticationValues {
  /** 20 bytes in Base64. */
  readonly cryptogram: string;
}

/** The payer's answer at a step of a flow: values, or a request to send the code again. */
export type SampleSignal = { readonly values: Readonly<Record<string, unknown>> } | { readonly resend: true };

/** One valid payment. What is left out is derived from the method. */
export interface SampleSession {
  /** Distinguishes samples of one operation in messages and goldens. Default: `purchase`, `purchase-2`, … */
  readonly name?: string;
  /** Fields of the session request over those that the kit makes up; blocks are merged, `undefined` takes a field away. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** The values under `parameters.<method key>`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Values of the MID, by parameter name or session path. */
  readonly mid?: Readonly<Record<string, unknown>>;
  /** The payer's answers on the page before the flow begins, by path. */
  readonly payer?: Readonly<Record<string, unknown>>;
  readonly card?: SampleCard;
  readonly wallet?: SampleWallet;
  readonly authentication?: SampleAuthentication;
  /** The number of the card that a transfer pays to. */
  readonly payeeCard?: string;
  /** The payment came by the merchant's server, which says nothing of the payer's browser. */
  readonly client?: false;
  /** The agreement that an earlier outcome gave, for `recurring`. Default: from the endpoints' examples. */
  readonly agreement?: ConnectorValues;
  /** The values that an earlier outcome gave for other later calls. Default: from the endpoints' examples. */
  readonly connectorState?: ConnectorValues;
  /** The payer's answers while the flow runs, by step (`code`, `code#2`, `visit`). Without `visit` the provider's page answers it. */
  readonly signals?: Readonly<Record<string, SampleSignal>>;
  /** The flow declines the sample with this code, and asks for nothing that moves money. The kit walks such a sample, and plays none of its payments. */
  readonly declines?: DeclineCode;
}

/** By method key and operation. */
export type SampleSessions = Readonly<
  Record<string, Partial<Readonly<Record<Operation, SampleSession | readonly SampleSession[]>>>>
>;

/**
 * One exchange as the provider's documentation shows it, written apart from the connector's code. Texts may hold places that the kit
 * fills in: `{reference}` (ours), `{compact_reference}` and `{compact_modification}` (as `compactId` writes them), `{key}` (the step's idempotency key), `{provider_reference}`, `{notify_url}`, `{return_url}`, `{modification}` (ours of a modification)
 * and `{settings.<name>}`; `{base64:…}` around them writes what they become in Base64, as in
 * `Basic {base64:{settings.user}:{settings.password}}`.
 */
export interface Golden {
  /** The endpoint's name. */
  readonly endpoint: string;
  /** Where this exchange is written down: a document and its chapter, or an address. */
  readonly source: string;
  /** In which situation, in words. */
  readonly when: string;
  /** How the kit gets there. Without it: the first sample whose flow calls the endpoint. */
  readonly by?: {
    readonly method?: string;
    readonly flow?: FlowName;
    /** The name of a sample. */
    readonly sample?: string;
  };
  readonly request: {
    readonly method: string;
    /** Below the base URL, with its query. */
    readonly path: string;
    /** All that the connector sets; names in lower case. */
    readonly headers?: Readonly<Record<string, string>>;
    /** As data, or as text to be compared byte for byte. Absent: the request has none. */
    readonly body?: unknown;
  };
  readonly reply: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  /** The flow's outcome of the reply; fields that are left out are not compared. */
  readonly outcome?: Readonly<Record<string, unknown>>;
}

export interface ConformanceOptions {
  /** Settings of a MID, valid by the connector's schema. Secrets of at least eight characters, so that they can be searched for. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** How a local provider plays the connector's provider. */
  readonly simulation?: Simulation;
  /**
   * The private key in PEM by which the simulated provider signs its notifications, where they are signed by one: made for the tests, with
   * its public half among the settings.
   */
  readonly providerKey?: string;
  /** A provider written by hand, in the place of a simulation; a new one for each play. */
  readonly provider?: () => ProviderDouble;
  /** Valid sessions where the kit cannot derive one. */
  readonly sessions?: SampleSessions;
  /** Golden exchanges, or the folder of their JSON files (one exchange or a list in each). */
  readonly goldens?: readonly Golden[] | URL;
  /** The page of answers from the provider's documentation, as `create-connector` writes it: `answers.md`. */
  readonly answers?: URL;
  /**
   * `true`: branches of the flows that no check has reached are listed. V8 counts them, so it does not go beside the runner's own coverage by V8.
   * An object names branches that no check can reach by the beginning of their code, with the reason.
   */
  readonly coverage?: true | { readonly except: Readonly<Record<string, string>> };
}

/** The `test` of a runner: vitest, node:test, jest, bun. A check that looks at nothing is skipped where the runner can. */
export interface RunnerTest {
  (name: string, run: (context: RunnerContext) => Promise<void> | void): unknown;
}

/** The value that a runner hands to a test; `skip` where it has one. */
export type RunnerContext = unknown;

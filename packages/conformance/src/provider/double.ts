import type { Show } from '@railyard/core';
import type { ArrivedNotification } from '@railyard/core/driver';
import type { HttpRequest, NextAction } from '@railyard/runtime';

/** A request as a provider reads it. Header names are lower case. */
export interface ProviderRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProviderReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One thing that a provider did with money. */
export interface LedgerLine {
  readonly effect: string;
  readonly reference: string;
  /** Decimal text, or nothing where the effect has no amount. */
  readonly amount: string;
  readonly currency?: string;
}

/** A provider that is played locally. It outlives every crash of ours. */
export interface ProviderDouble {
  readonly ledger: readonly LedgerLine[];
  handle(request: ProviderRequest): ProviderReply;
  /** Notifications that the host has not acknowledged yet. */
  readonly outbox?: ArrivedNotification[];
  /** The payer goes to a page of the provider; answers what comes back. */
  visit?(nextAction: Extract<NextAction, { kind: 'visit' }>): Readonly<Record<string, string>> | undefined;
  /** The payer pays what is open, and on the page that they are shown. Called again after a restart: what is paid is not paid again. */
  settle?(show?: Show): void;
  /** Time passes, and the provider forgets what it keeps for a while. */
  wait?(milliseconds: number): void;
}

export const jsonReply = (status: number, value: unknown): ProviderReply => ({ status, body: JSON.stringify(value) });

/** A request as the provider reads it. */
export function asRead({ method, url, headers, body = '' }: HttpRequest): ProviderRequest {
  const { origin, pathname, searchParams } = new URL(url);
  return { method, origin, path: pathname, query: Object.fromEntries(searchParams), headers, body };
}

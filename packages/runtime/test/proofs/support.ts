import {
  type Connector,
  defineConnector,
  type Endpoint,
  fromDecimal,
  type Notifications,
  type ProviderEvent,
  settled,
  statusTable,
} from '@railyard/core';
import type { ArrivedNotification } from '@railyard/core/driver';
import { z } from 'zod';

/** The account of a merchant: the key is whatever the provider gives for its notifications. */
export const settings = z.object({ key: z.string(), base_url: z.string().default('https://provider.example') });
export type Settings = z.output<typeof settings>;

/** 2025-11-24T16:00:00Z */
export const NOW = 1_764_000_000_000;
export const URL_OF_MID = 'https://pay.example/notify/m1';

/** A body that most of the tests send; `é` is two bytes. */
export const BODY = JSON.stringify({ id: 'evt_1', charge: 'ch_1', paid: '5.00', note: 'café' });

export const charge = z.object({ id: z.string(), charge: z.string(), paid: z.string() });

export const paid = (id: string, reference: string, amount: string): ProviderEvent => ({
  kind: 'payment',
  id,
  providerReference: reference,
  outcome: settled(reference, fromDecimal(amount, 'USD')),
});

/** Notifications of that body, proven so. */
export const provenBy = (
  verify: Notifications<Settings, unknown>['verify'],
): Notifications<Settings, z.output<typeof charge>> => ({
  verify,
  codec: 'json',
  body: charge,
  events: ({ id, charge: reference, paid: amount }) => [paid(id, reference, amount)],
});

export function connectorOf<B>(
  notifications: Notifications<Settings, B>,
  endpoints: readonly Endpoint<Settings, never, unknown>[] = [],
): Connector {
  return defineConnector({
    id: 'sample',
    contract: 1,
    version: '1.0.0',
    title: 'Sample',
    settings,
    baseUrl: ({ base_url }) => base_url,
    endpoints,
    statuses: statusTable({}),
    notifications,
    serves: () => [],
  });
}

/** A scheme of a provider that exists. */
export interface Scheme {
  /** Who declares it, and where the rule is written down. */
  readonly source: string;
  readonly connector: Connector;
  /** The keys of two accounts: of the provider's and the merchant's side. */
  readonly ours: Keys;
  readonly others: Keys;
  /** A notification as the provider sends it at a time. */
  send(key: string, at: number): ArrivedNotification | Promise<ArrivedNotification>;
  /** The header, or the dotted field of the body, that carries the proof. */
  readonly proof: { readonly header: string } | { readonly field: string };
  /** The scheme signs a time. Else a replay is harmless: its events have the same ids, and an event is stored once. */
  readonly timed: boolean;
  /** The header is a list of signatures and nothing else: one genuine one among them is enough. */
  readonly lists?: true;
  /** Without it the body is signed. `confirm`: it is not, so the events are hints. */
  readonly covers?: 'fields' | 'nothing of the body';
}

interface Keys {
  /** The provider signs with it. */
  readonly signs: string;
  /** The merchant's setting. */
  readonly setting: string;
}

/** A secret, which both sides have. */
export const shared = (secret: string): Keys => ({ signs: secret, setting: secret });

import { randomUUID } from 'node:crypto';
import { type Connector, fromDecimal, money } from '@railyard/core';
import { providerDecimals, shortDecimal } from '@railyard/core/formats';
import type { SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import type { HeldModification, HeldPayment, State } from './records.ts';

/** A connector whose provider is played. */
export interface SimulatedConnector {
  readonly connector: Connector;
  readonly simulation: Simulation;
  /** Settings of the account, as the connector's schema reads them; notifications are signed with their secrets. */
  readonly settings: unknown;
  /** Under which name its requests arrive, `/<mid>/…`. Default: the connector's id. */
  readonly mid?: string;
  /** Where notifications go whose request names no address: the address that a merchant types into the provider's console. */
  readonly notifyUrl?: string;
  /** The provider's private key in PEM, where its notifications are signed by RSA. */
  readonly privateKey?: string;
}

/** A connector with its place in the simulator's address. */
export interface Mount extends Omit<SimulatedConnector, 'mid'> {
  readonly name: string;
  /** The page of a payment at the payer's bank; known once the server listens. */
  payerUrl(id: string): string;
  /** The captures, voids and refunds of a payment, in their order. */
  modificationsOf(id: string): readonly HeldModification[];
}

/** @throws Error for a name twice, or settings that the connector refuses. */
export function mountsOf(
  connectors: readonly SimulatedConnector[],
  doors: Pick<Mount, 'payerUrl' | 'modificationsOf'>,
): ReadonlyMap<string, Mount> {
  const mounts = new Map<string, Mount>();
  for (const { mid, settings, ...rest } of connectors) {
    const name = mid ?? rest.connector.id;
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
      throw new Error(`Simulated connector "${name}": use a-z, 0-9 and "-".`);
    if (mounts.has(name)) throw new Error(`Two simulated connectors are called "${name}". Give one another mid.`);
    const parsed = rest.connector.settings.safeParse(settings);
    if (!parsed.success)
      throw new Error(
        `Settings of ${name}: ${parsed.error.issues.map((each) => `${each.path.join('.')}: ${each.message}`).join('; ')}`,
      );
    mounts.set(name, { ...rest, name, settings: parsed.data, ...doors });
  }
  return mounts;
}

/** A payment with the provider's word for its state. */
export function asProvider(mount: Mount, payment: HeldPayment): SimulatedPayment {
  const { id, reference, amount, currency, createdAt, request, effect, state, disputes = [] } = payment;
  return {
    id,
    merchantReference: reference,
    amount,
    currency,
    createdAt,
    request,
    status: wordOf(mount, effect, state),
    payerUrl: mount.payerUrl(id),
    modifications: mount.modificationsOf(id).map((each) => modificationAsProvider(mount, each)),
    disputes: disputes.map((each) => ({ ...each, amount, currency })),
  };
}

/** A capture, void or refund with the provider's word for its state. */
export function modificationAsProvider(mount: Mount, held: HeldModification): SimulatedModification {
  const { id, effect, reference, amount, currency, createdAt, state } = held;
  return {
    id,
    effect,
    merchantReference: reference,
    amount,
    currency,
    createdAt,
    status: wordOf(mount, effect, state),
  };
}

/** States that are reported like another one where the provider has no word for them. */
const LIKE: Readonly<Partial<Record<State, 'released' | 'declined' | 'disputed' | 'settled'>>> = {
  withdrawn: 'declined',
  released: 'declined',
  cancelled: 'declined',
  lapsed: 'released',
  won: 'settled',
  lost: 'disputed',
};

/** @throws Error for a state that the simulation gives no word */
function wordOf({ simulation: { words, effectWords } }: Mount, effect: HeldPayment['effect'], state: State): string {
  const own: Readonly<Partial<Record<State, string>>> = effectWords?.[effect] ?? {};
  const word =
    own[state] ??
    words[state] ??
    words[LIKE[state] ?? state] ??
    (LIKE[state] === undefined ? undefined : words.declined);
  if (word === undefined) throw new Error(`The simulation has no word for "${state}". Give one under words.`);
  return word;
}

/** An amount of a request as decimal text, or nothing where it is none. */
export function amountFrom({ simulation }: Mount, text: string, currency: string): string | undefined {
  try {
    const read =
      simulation.amounts === 'minor-units' ? providerDecimals(simulation.decimals ?? {}).fromMinorUnits : fromDecimal;
    return read(text, currency).text;
  } catch {
    return undefined;
  }
}

/** Decimal text as the provider writes it. */
export function amountTo({ simulation }: Mount, amount: string, currency: string): string {
  const { amounts = 'decimal', decimals } = simulation;
  if (amounts === 'decimal' && decimals === undefined) return amount;
  const of = money(amount, currency);
  if (amounts === 'short-decimal') return shortDecimal(of);
  const own = providerDecimals(decimals ?? {});
  return amounts === 'minor-units' ? own.minorUnits(of) : own.decimal(of);
}

/** A new id in the provider's form. Never used twice, also not after a restart that forgot everything. */
export function newId({ simulation }: Mount, effect: HeldPayment['effect']): string {
  const uuid = randomUUID();
  return simulation.id?.(uuid, effect) ?? uuid;
}

import type { Method } from '@railyard/core';
import { CardHandle, samplePayerClient } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import { type Profile, profileOf, type Registry, resolveMethod, takesCard } from '@railyard/core/registry';
import type { Run } from '@railyard/runtime';
import type { Account } from './accounts.ts';

/** Ids of a payment that is only looked at: always the same, so that two looks can be compared. */
export const SAMPLE_ID = '00000000-0000-4000-8000-000000000001';

/** The profile of an account for validation: the values it supplies. */
export function profileFor({ connector, defaults, id }: Account, methods: readonly Method[]): Profile {
  const served = connector.serves.map(({ method }) => method).filter((method) => methods.includes(method));
  const entries = served.map((method) => [
    method.key,
    profileOf(method, { values: defaults[method.key] ?? {}, mid: id }),
  ]);
  return { methods: Object.fromEntries(entries) };
}

export interface RunFacts {
  readonly session: SessionRequest;
  /** As the request names the method. */
  readonly key: string;
  readonly method: Method;
  readonly profile: Profile;
  /** The values that the payer would enter on the page, by path. */
  readonly payer: Readonly<Record<string, unknown>>;
  readonly urls: { readonly notify: string; readonly return: string };
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** The payment's id, ours for it at the provider too. */
  readonly id: string;
}

/** A card of handles without values: requests show where its parts would stand. */
function cardFor(operation: string) {
  return {
    number: new CardHandle('number'),
    ...(operation !== 'credit' && { cvv: new CardHandle('cvv') }),
    bin: '41111111',
    brand: 'visa',
    expiryMonth: '01',
    expiryYear: '2038',
    holder: 'SAMPLE HOLDER',
  };
}

/** The run of an operation, or its missing inputs. */
export async function paymentRun(registry: Registry, account: Account, facts: RunFacts) {
  const { session, key, method, profile, payer, urls, now, id } = facts;
  const { paymentInput } = await import('@railyard/runtime');
  const { connector, settings, defaults } = account;
  const sources = { mid: defaults[method.key] ?? {}, payer, profiles: profile, today: now.slice(0, 10) };
  const resolved = resolveMethod(registry, session, key, sources);
  if (resolved.kind !== 'complete') return resolved;
  const { operation } = session;
  const card = takesCard(registry, session, key, sources) && { card: cardFor(operation) };
  const payeeCard = method.operations[operation]?.payeeCard === true && {
    payeeCard: { number: new CardHandle('payee-number') },
  };
  const payment = paymentInput({
    session,
    resolved: resolved.value,
    id,
    merchantReference: id,
    test: true,
    client: samplePayerClient,
    ...card,
    ...payeeCard,
  });
  const context = { payment, settings, now, urls };
  const run: Run = { id, connector, method, flow: operation, settings, mid: account.id, context };
  return { kind: 'ready' as const, run, origins: resolved.value.origins };
}

import { breach, type FieldState, type Issue, issue, scopeOf, TEXTS } from '@railyard/core';
import { sealedAt, sealJson } from '../secrets/index.ts';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { driveRun, LEASE_MS } from './drive-run.ts';
import { runInput } from './run-of.ts';

export type Begun =
  | { readonly kind: 'begun'; readonly paymentId: string }
  | { readonly kind: 'missing'; readonly fields: readonly FieldState[] }
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  /** The session has ended, or another attempt may still bring money. */
  | { readonly kind: 'busy' };

/** What the payer's browser brings to an attempt. */
export interface PayerInput {
  readonly methodKey: string;
  /** By path, as the page names its inputs. */
  readonly answers: Readonly<Record<string, string>>;
  readonly ip: string | undefined;
}

/**
 * Begins an attempt: resolves the method's values, checks limits, stores the intent, and only then drives the flow. Of two
 * clicks or two tabs one begins.
 */
export async function beginPayment(context: ServiceContext, session: OpenSession, payer: PayerInput): Promise<Begun> {
  const route = session.routes.find((each) => each.key === payer.methodKey);
  if (route === undefined) return { kind: 'invalid', issues: [issue('methods', TEXTS.choice)] };
  const { mid, method, profile } = route;
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, payer: payer.answers, today };
  const resolution = context.directory.registry.resolve(session.request, route.key, {
    ...sources,
    profiles: session.merchant.profile,
  });
  if (resolution.kind !== 'complete') return resolution;
  const { amount, order, operation } = session.request;
  const outside =
    amount === 'payer' ? [] : breach(method, operation, amount, scopeOf(session.request, route.key), sources);
  if (outside.length > 0) return { kind: 'invalid', issues: outside };
  // The first payment has the session's id: a status lookup by order has told it already (see `unpaidBody`).
  const id = session.stored.attempts === 0 ? session.stored.id : context.newId();
  const runId = context.newId();
  const begun = await context.stores.payments.begin({
    id,
    sessionId: session.stored.id,
    reference: context.newId(),
    method: method.key,
    methodAlias: route.key,
    connectorId: mid.connector.id,
    connectorVersion: mid.connector.version,
    midId: mid.id,
    payerIp: payer.ip ?? null,
    amount:
      amount === 'payer'
        ? { open: true, text: order.amount ?? null, currency: order.currency }
        : { open: false, text: amount.text, minor: amount.minor, currency: amount.currency },
    run: {
      runId,
      input: sealJson(context.sealer, runInput(resolution.value), sealedAt.runInput(runId)),
      owner: context.owner,
      leaseMs: LEASE_MS,
    },
  });
  if (begun === undefined) return { kind: 'busy' };
  const run = await context.stores.runs.find(begun.lease.runId);
  if (run !== undefined) await driveRun(context, run, begun.lease);
  return { kind: 'begun', paymentId: id };
}

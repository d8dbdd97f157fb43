import type { Connector, Outcome, ProviderEvent, StatusReport, Steps } from '@railyard/core';
import type { AnyEndpoint, AnyFlows, CallEffect, CredentialEffect, Effect, Finder, Wire } from '@railyard/core/driver';
import { z } from 'zod';

/** A real adapter with one part replaced; the rest stays as it is published. */
export type Plant = (connector: Connector) => Connector;
type Block = Readonly<Record<string, unknown>>;
type AnyFinder = Finder<unknown, unknown, unknown>;
type Flow<T> = (context: unknown) => Steps<T>;

const isBlock = (value: unknown): value is Block => typeof value === 'object' && value !== null;

/** A copy of a block within a value with other fields; what is no block stays. */
export function withFields(value: unknown, place: string, change: (block: Block) => Block): unknown {
  if (!isBlock(value)) return value;
  const inner = value[place];
  return isBlock(inner) ? { ...value, [place]: { ...inner, ...change(inner) } } : value;
}

const served =
  (change: (flows: AnyFlows) => AnyFlows): Plant =>
  (connector) => ({
    ...connector,
    serves: connector.serves.map(({ method, flows }) => ({ method, flows: { ...flows, ...change(flows) } })),
  });

/** Other endpoints in the place of the adapter's own: in its list, in its flows and where a lost request is looked up. */
export function endpoints(change: (endpoint: AnyEndpoint) => AnyEndpoint): Plant {
  return (connector) => {
    const planted = new Map<AnyEndpoint, AnyEndpoint>();
    const inPlaceOf = (endpoint: AnyEndpoint): AnyEndpoint => planted.get(endpoint) ?? endpoint;
    const called = <E extends CallEffect | CredentialEffect>(effect: E): E => ({
      ...effect,
      endpoint: inPlaceOf(effect.endpoint),
    });
    const finding = ({ endpoints: looked, steps }: AnyFinder): AnyFinder => ({
      endpoints: looked.map(inPlaceOf),
      steps: (input, context) => through(steps(input, context), called),
    });
    for (const endpoint of connector.endpoints) {
      const { find, ...rest } = change(endpoint);
      planted.set(endpoint, find === undefined ? rest : { ...rest, find: finding(find) });
    }
    const other = (effect: Effect): Effect =>
      'endpoint' in effect ? { ...effect, endpoint: inPlaceOf(effect.endpoint) } : effect;
    const over =
      <T>(flow: Flow<T>): Flow<T> =>
      (context) =>
        through(flow(context), other);
    const swap = served(
      ({
        purchase,
        debit,
        credit,
        transfer,
        void: release,
        recurring,
        status,
        modificationStatus,
        renew,
        withdraw,
        capture,
        refund,
      }) => ({
        ...(purchase && { purchase: over(purchase) }),
        ...(debit && { debit: over(debit) }),
        ...(credit && { credit: over(credit) }),
        ...(transfer && { transfer: over(transfer) }),
        ...(release && { void: over(release) }),
        ...(recurring && { recurring: over(recurring) }),
        ...(status && { status: over<StatusReport>(status) }),
        ...(modificationStatus && { modificationStatus: over(modificationStatus) }),
        ...(renew && { renew: over(renew) }),
        ...(withdraw && { withdraw: over(withdraw) }),
        ...(capture && { capture: { ...capture, flow: over(capture.flow) } }),
        ...(refund && { refund: { ...refund, flow: over(refund.flow) } }),
      }),
    );
    return { ...swap(connector), endpoints: [...planted.values()] };
  };
}

function* through<E, T>(steps: Generator<E, T, unknown>, change: (effect: E) => E): Generator<E, T, unknown> {
  let next = steps.next();
  while (next.done !== true) next = steps.next(yield change(next.value));
  return next.value;
}

/** Other requests to the endpoints of some names; `settings` are the account's. */
export const requests = (names: RegExp, change: (wire: Wire, settings: unknown) => Wire): Plant =>
  endpoints((endpoint) =>
    names.test(endpoint.name)
      ? { ...endpoint, request: (input, context) => change(endpoint.request(input, context), context.settings) }
      : endpoint,
  );

/** Other bodies of the replies of the endpoints of some names, before they are read. */
export const replies = (names: RegExp, change: (body: unknown) => unknown): Plant =>
  endpoints((endpoint) => {
    if (!names.test(endpoint.name)) return endpoint;
    const variants = Object.entries(endpoint.variants).map(([name, variant]) => {
      const body = z.preprocess(change, variant.body);
      return [name, { ...variant, body }] as const;
    });
    return { ...endpoint, variants: Object.fromEntries(variants) };
  });

const ending = <T, U>(flow: Flow<T>, change: (end: T, context: unknown) => U): Flow<U> =>
  function* (context) {
    return change(yield* flow(context), context);
  };

/** Another outcome of payments, where they are made and where they are looked up. */
export const outcomes = (change: (outcome: Outcome, context: unknown) => Outcome): Plant =>
  served(({ purchase, credit, status }) => ({
    ...(purchase && { purchase: ending(purchase, change) }),
    ...(credit && { credit: ending(credit, change) }),
    ...(status && {
      status: ending(status, (report: StatusReport, context) =>
        'events' in report ? report : change(report, context),
      ),
    }),
  }));

/** Another outcome of a refund, or of the lookup of an action. */
export const refundOutcomes = (change: (outcome: Outcome, context: unknown) => Outcome): Plant =>
  served(({ refund }) => (refund === undefined ? {} : { refund: { ...refund, flow: ending(refund.flow, change) } }));
export const lookedUpActions = (change: (outcome: Outcome) => Outcome): Plant =>
  served(({ modificationStatus }) =>
    modificationStatus === undefined ? {} : { modificationStatus: ending(modificationStatus, change) },
  );

/** Another withdrawal: the steps of the adapter's own are there to be used. */
export const withdrawals = (change: (own: Flow<Outcome>) => Flow<Outcome>): Plant =>
  served(({ withdraw }) => (withdraw === undefined ? {} : { withdraw: change(withdraw) }));

/** Another context for refunds, or for lookups of payments. */
export const purchaseContexts = (change: (context: unknown) => unknown): Plant =>
  served(({ purchase }) => (purchase === undefined ? {} : { purchase: (context) => purchase(change(context)) }));
export const refundContexts = (change: (context: unknown) => unknown): Plant =>
  served(({ refund }) =>
    refund === undefined ? {} : { refund: { ...refund, flow: (context) => refund.flow(change(context)) } },
  );
export const lookedUpContexts = (change: (context: unknown) => unknown): Plant =>
  served(({ modificationStatus }) =>
    modificationStatus === undefined ? {} : { modificationStatus: (context) => modificationStatus(change(context)) },
  );
export const statusContexts = (change: (context: unknown) => unknown): Plant =>
  served(({ status }) => (status === undefined ? {} : { status: (context) => status(change(context)) }));

/** Another report of a lookup. */
export const statusReports = (change: (report: StatusReport) => StatusReport): Plant =>
  served(({ status }) => (status === undefined ? {} : { status: ending(status, change) }));

/** Other events of notifications. */
export const events = (change: (event: ProviderEvent) => ProviderEvent): Plant => everyEvent((all) => all.map(change));

/** More events of a notification, or fewer. */
export const everyEvent =
  (change: (events: readonly ProviderEvent[]) => readonly ProviderEvent[]): Plant =>
  (connector) => {
    const { notifications } = connector;
    if (notifications === undefined) return connector;
    const changed = {
      ...notifications,
      events: (...given: Parameters<typeof notifications.events>) => change(notifications.events(...given)),
    };
    return { ...connector, notifications: changed };
  };

import { modificationFlows } from '@railyard/core/payment';
import type { Operation, Outcome, ProviderEvent } from '@railyard/core';
import { type AnyEndpoint, knowsWord, type StatusTable, tableOf } from '@railyard/core/driver';
import { type FlowName, memoryJournal, type Run } from '@railyard/runtime';
import type { ModificationRecord, PaymentRecord, RunRecord } from './host/disk.ts';
import { crashAt } from './host/faults.ts';
import { BEGINNING, type Deployment, newPayment, runOf, type World } from './host/world.ts';
import { leavesOf, withoutItems } from './leaves.ts';
import type { Case, Subject } from './subject.ts';
import { answering, takesNames, type Walk, walk, type WalkOptions } from './walk.ts';

/** A flow of a sample, ready to be walked. */
export interface CaseRun {
  /** `card.purchase`, `card.purchase then refund`, … */
  readonly name: string;
  readonly path: string;
  readonly flow: FlowName;
  readonly run: Run;
  readonly options: WalkOptions;
  /** By which the flow reads the provider's words. */
  readonly table: StatusTable;
}

const BEGAN = new Date(BEGINNING).toISOString();
const ON = 'provider-1';

/** Every flow of a sample, each as often as it can be met differently: with and without the provider's reference, of a hold or not. */
export function runsOf(one: Case, deployment: Deployment = one.deployment, only?: 'operation'): readonly CaseRun[] {
  if (only === 'operation') return everyRunOf(one, deployment, only);
  const known = runs.get(deployment) ?? everyRunOf(one, deployment, only);
  runs.set(deployment, known);
  return known;
}

const runs = new WeakMap<Deployment, readonly CaseRun[]>();

function everyRunOf(one: Case, deployment: Deployment, only: 'operation' | undefined): readonly CaseRun[] {
  const { sample, flows, operation } = one;
  const fresh = paymentOf(deployment, sample.payer ?? {});
  const options: WalkOptions = { signals: sample.signals, adapt: one.adapt };
  const make = (payment: PaymentRecord, flow: FlowName, more: Partial<RunRecord> = {}, as: string = flow): CaseRun => {
    const record = { id: `${payment.id}/${as}`, flow, began: BEGAN, ended: false, ...more };
    const name = flow === operation ? one.path : `${one.path} then ${as}`;
    const run = runOf(worldOf(deployment, payment), record);
    const looked = flow === 'modificationStatus' ? payment.modifications[0]?.modification : undefined;
    const modified = modificationFlows().find((each) => each === (looked ?? flow));
    const table = tableOf(deployment.connector, modified ?? (takesBack(operation) ? 'payment' : 'payout'));
    return { name, path: `sessions.${one.path}`, flow, run, options, table };
  };
  const first = make(fresh, operation);
  if (only === 'operation') return [first];
  const beginning = walk(first.run, options);
  const values = { ...valuesOf(beginning), ...declaredValues(sample) };
  const asked = { ...fresh, references: [ON], ...values };
  const takesOurs =
    flows.status === undefined ||
    walk(make(asked, 'status', { on: ON }).run, options).requests.every((each) => takesNames(each, one.adapt));
  // A reference has the form that the provider's replies demand, where they demand one.
  const reference = takesOurs ? ON : (outcomesOf(beginning)[0]?.providerReference ?? ON);
  const begun = { ...fresh, references: [reference], ...values };
  const on = { on: reference };
  const amount = fresh.session.amount;
  const runs = [first];
  if (flows.status !== undefined)
    runs.push(make(begun, 'status', on), make(begun, 'status', {}, 'status without a reference'));
  if (flows.renew !== undefined) runs.push(make(begun, 'renew', on));
  if (flows.withdraw !== undefined && takesBack(operation)) runs.push(make(begun, 'withdraw', on));
  if (amount === 'payer') return runs;
  const moved = { ...on, amount, remaining: amount };
  for (const modification of [...modificationFlows(({ amount }) => amount !== 'whole'), 'recurring'] as const)
    if (flows[modification] !== undefined && takesBack(operation)) runs.push(make(begun, modification, moved));
  if (flows.recurring !== undefined && takesBack(operation))
    runs.push(make(begun, 'recurring', { ...moved, held: true }, 'recurring with a hold'));
  for (const whole of modificationFlows(({ amount }) => amount === 'whole'))
    if (flows[whole] !== undefined && takesBack(operation))
      runs.push(
        make(begun, whole, { ...moved, held: true }, `${whole} of a hold`),
        make(begun, whole, { ...moved, held: false }),
      );
  if (flows.modificationStatus !== undefined && takesBack(operation))
    for (const name of modificationFlows().filter((each) => flows[each] !== undefined)) {
      const modification: ModificationRecord = { run: 'modification', modification: name, amount, status: 'unknown' };
      const lost = { ...begun, modifications: [modification] };
      const known = { ...begun, modifications: [{ ...modification, reference: 'modification-1' }] };
      const as = name === 'refund' ? 'modificationStatus' : `modificationStatus of a ${name}`;
      runs.push(
        make(lost, 'modificationStatus', { ...on, about: 'modification' }, as),
        make(known, 'modificationStatus', { ...on, about: 'modification' }, `${as} by reference`),
      );
    }
  return runs;
}

const takesBack = (operation: Operation) => operation === 'purchase' || operation === 'debit';

/** The values that a walk's outcome gives for later calls. */
function valuesOf({ end }: Walk): Pick<PaymentRecord, 'agreement' | 'connectorState'> {
  const report = end.kind === 'done' ? end.report : undefined;
  if (report === undefined || !('status' in report)) return { agreement: {}, connectorState: {} };
  return { agreement: report.agreement ?? {}, connectorState: report.connectorState ?? {} };
}

const declaredValues = ({ agreement, connectorState }: Case['sample']) => ({
  ...(agreement && { agreement }),
  ...(connectorState && { connectorState }),
});

function paymentOf(deployment: Deployment, answers: PaymentRecord['answers']): PaymentRecord {
  return { ...newPayment(worldOf(deployment, undefined)), answers };
}

export function worldOf(deployment: Deployment, payment: PaymentRecord | undefined): World {
  const disk = { payment, journal: memoryJournal().text() };
  return { ...deployment, disk, points: crashAt([]), log: [], now: BEGINNING };
}

/** The outcomes that a walk ended with: its own, or those of the payment's events. */
export function outcomesOf({ end }: Walk): readonly Outcome[] {
  if (end.kind !== 'done') return [];
  if ('status' in end.report) return [end.report];
  return end.report.events.flatMap((event) =>
    event.kind === 'payment' || event.kind === 'ended' ? [event.outcome] : [],
  );
}

/** The events that a lookup reports. */
export const eventsOf = ({ end }: Walk): readonly ProviderEvent[] =>
  end.kind === 'done' && 'events' in end.report ? end.report.events : [];

/**
 * Whether a walk of a flow concludes by the reply of an endpoint: the last one, unless a lookup has it list what stands beside the payment,
 * refunds for example. Such a list has every word within its items, and without an item the flow knows how the payment stands as well.
 */
export function concluder(
  { flow, run, options }: CaseRun,
  connector: Subject['connector'],
): (walked: Walk, endpoint: AnyEndpoint) => boolean {
  const speaks = (body: unknown) =>
    leavesOf(body).some(({ value }) => typeof value === 'string' && knowsWord(connector, value));
  const [, ...later] = new Set(flow === 'status' ? walk(run, options).requests.map(({ endpoint }) => endpoint) : []);
  const isBeside = (endpoint: AnyEndpoint, at: number): boolean => {
    const body = endpoint.examples[at]?.body;
    if (speaks(withoutItems(body)) || leavesOf(body).length === leavesOf(withoutItems(body)).length) return false;
    const outcomes = outcomesOf(walk(run, answering(options, endpoint, { at, change: withoutItems })));
    if (outcomes.length === 0 || outcomes.some(({ status }) => status === 'unknown')) return false;
    // Items without a word, disputes for example, may be the money of a payment: then it changes with them.
    return speaks(body) || saysSame(outcomes, outcomesOf(walk(run, answering(options, endpoint, { at }))));
  };
  const beside = new Set(later.filter((each) => [...each.examples.keys()].some((at) => isBeside(each, at))));
  return ({ requests }, endpoint) => requests.findLast((each) => !beside.has(each.endpoint))?.endpoint === endpoint;
}

const inShort = (outcome: Outcome) => [outcome.status, 'amount' in outcome ? outcome.amount.text : ''].join(' ');
const saysSame = (some: readonly Outcome[], others: readonly Outcome[]) =>
  some.map(inShort).join() === others.map(inShort).join();

/** More walks than the replies of any flow need. */
const MOST_WALKS = 100;

const walks = new WeakMap<CaseRun['run'], readonly Walk[]>();

/** A flow with each of the examples of the endpoints that it calls, and of those that it then calls: the order of samples decides nothing. */
export function everyWalk({ run, options }: CaseRun): readonly Walk[] {
  const known = walks.get(run);
  if (known !== undefined) return known;
  const found: Walk[] = [];
  const waiting: (readonly [WalkOptions, ReadonlySet<AnyEndpoint>])[] = [[options, new Set()]];
  for (let next = waiting.shift(); next !== undefined && found.length < MOST_WALKS; next = waiting.shift()) {
    const [given, chosen] = next;
    const walked = walk(run, given);
    found.push(walked);
    const met = new Set(walked.requests.map(({ endpoint }) => endpoint).filter((endpoint) => !chosen.has(endpoint)));
    for (const endpoint of met)
      for (const at of endpoint.examples.keys())
        waiting.push([answering(given, endpoint, { at }), new Set([...chosen, endpoint])]);
  }
  walks.set(run, found);
  return found;
}

/** The endpoints that a flow calls, whatever is answered. */
export function everyWay(each: CaseRun): readonly string[] {
  return everyWalk(each).flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint.name));
}

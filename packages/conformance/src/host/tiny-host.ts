import { compareMoney, type Money, type Outcome, type ProviderEvent } from '@railyard/core';
import { type ArrivedNotification, type CardHandle, type CardPart, eventKey } from '@railyard/core/driver';
import { decide, type End, inState, type PaymentChange, modificationFlows } from '@railyard/core/payment';
import {
  type Signal,
  type DriveResult,
  type Host,
  type NotificationRefusal,
  memoryCredentials,
} from '@railyard/runtime';
import { asked } from './asked.ts';
import { remainingOf } from './disk.ts';
import type { ModificationRecord, HostModification, PaymentRecord, RunRecord } from './disk.ts';
import { afterReport, isReportOfOurs } from './reported-modification.ts';
import { type Machinery, newPayment, partOf, resolve, runOf, RUNTIME, type World } from './world.ts';

/** How the payer behaves: answers to fields and signals. Asked the same question again, the payer answers the same. */
export interface Payer {
  readonly fields?: Readonly<Record<string, unknown>>;
  signal?(nextAction: NonNullable<PaymentRecord['nextAction']>): Signal | undefined;
}

/** The flows that are told whether there is a hold, and no amount. */
const WHOLE_FLOWS = modificationFlows(({ amount }) => amount === 'whole');

const STATUS_OF_REFUSAL: Readonly<Record<NotificationRefusal, number>> = {
  unsupported: 401,
  signature: 401,
  stale: 401,
  unasked: 401,
  malformed: 400,
  unavailable: 503,
};

/**
 * The least that a service around the runtime has to do: keep the payment, drive its runs, let every change through `decide`.
 * It holds one payment. What it keeps in fields dies with it; what it commits survives.
 */
export class TinyHost {
  readonly #world: World;
  readonly #host: Host;
  readonly #machinery: Machinery;
  /** While a run goes, the payer's values wait for it. */
  #holds = false;

  constructor(world: World, host: Pick<Host, 'journal' | 'transport' | 'openCard'>) {
    this.#world = world;
    this.#machinery = world.machinery ?? RUNTIME;
    this.#host = {
      credentials: memoryCredentials(() => world.now),
      now: () => world.now,
      openCard: ({ part }: CardHandle) => this.#open(part),
      log: (line) => world.log.push(JSON.stringify(line)),
      ...host,
    };
  }

  get payment(): PaymentRecord {
    const { payment } = this.#world.disk;
    if (payment === undefined) throw new Error('There is no payment yet.');
    return payment;
  }

  /** A service's recovery at its start: every run that has not ended goes on from its journal. */
  async recover(): Promise<void> {
    for (const run of this.#world.disk.payment?.runs ?? []) if (!run.ended) await this.#go(run);
  }

  /** The payer opens the page and answers until there is nothing to answer; what has no reply yet is the host's to try again. */
  async pay(payer: Payer = {}): Promise<void> {
    if (this.#world.disk.payment === undefined) this.#commit(newPayment(this.#world));
    await this.#begin(payer);
    for (let nextAction = this.payment.nextAction; nextAction !== undefined;) {
      const answer = payer.signal?.(nextAction);
      if (answer === undefined) return;
      await this.answer(answer);
      nextAction = this.payment.nextAction?.step === nextAction.step ? undefined : this.payment.nextAction;
    }
  }

  async answer(answer: Signal): Promise<void> {
    const run = this.payment.runs.find((each) => each.flow === this.payment.session.operation);
    if (run !== undefined && !run.ended) await this.#go(run, answer);
  }

  /** A notification arrives; answers the HTTP status. */
  async receive(raw: ArrivedNotification): Promise<number> {
    const { connector, settings, now } = this.#world;
    const first = this.#machinery.receive(connector, settings, raw, now);
    const received =
      first.kind === 'refused' && first.ask !== undefined ? await asked(first.ask, this.#host.transport, raw) : first;
    if (received.kind === 'refused') return STATUS_OF_REFUSAL[received.why];
    for (const event of received.events)
      // Not acknowledged until the provider was asked, so that it sends the notification again.
      if (!(await (received.proven ? this.#hear(event) : this.poll(event.providerReference)))) return 503;
    return received.acknowledge.status;
  }

  /** A proven event. One that does not say what became of the payment is a question to the provider; `false` where it did not answer. */
  async #hear(event: ProviderEvent): Promise<boolean> {
    await this.#happen(event, 'notification');
    const isOpen = event.kind === 'payment' && event.outcome.status === 'unknown';
    return isOpen && this.payment.references.includes(event.providerReference)
      ? await this.poll(event.providerReference)
      : true;
  }

  /** Asks the provider what became of the payment; `false` where it did not answer. */
  async poll(reference = this.payment.references.at(-1)): Promise<boolean> {
    const polls = this.payment.polls + 1;
    this.#commit({ polls });
    const run = this.#newRun('status', `status/${polls}`, reference === undefined ? {} : { on: reference });
    const result = await this.#machinery.drive(runOf(this.#world, run), this.#host);
    if (result.kind === 'done') await this.#apply({ kind: 'outcome', outcome: result.outcome, via: 'status' }, {});
    if (result.kind === 'reported' && 'events' in result.report)
      for (const event of result.report.events) await this.#happen(event, 'status');
    refuseFailure(result);
    return result.kind === 'done' || result.kind === 'reported';
  }

  /** A new code once the one that is shown is no longer valid. */
  async renew(): Promise<void> {
    const { show, state, references, runs } = this.payment;
    const until = show === undefined ? undefined : show.validUntil;
    if (state.state !== 'pending' || until === undefined || Date.parse(until) > this.#world.now) return;
    const number = runs.filter((run) => run.flow === 'renew').length + 1;
    const run = this.#newRun('renew', `renew/${number}`, { on: references.at(-1) ?? '' });
    this.#commit({ runs: [...runs, run] });
    await this.#go(run);
  }

  /** The payer goes another way: what they were given is taken back. Unless that ends the payment, the provider is asked. */
  async withdraw(): Promise<void> {
    const { references, runs } = this.payment;
    const run = this.#newRun('withdraw', 'withdraw', { on: references.at(-1) ?? '' });
    this.#commit({ runs: [...runs, run] });
    await this.#go(run);
    const { state } = this.payment.state;
    if (state === 'created' || state === 'pending') await this.poll();
  }

  /**
   * Asks for a modification under a name of its own, so that asking again is the same modification; where the outcome is not known, the provider
   * is asked what became of it. Without an amount it is about all that is left.
   */
  async act(name: string, modification: HostModification, amount?: Money): Promise<ModificationRecord> {
    const id = `${this.payment.id}/${modification}/${name}`;
    if (!this.payment.runs.some((run) => run.id === id))
      this.#beginModification(modification, `${modification}/${name}`, amount);
    const known = this.payment.runs.find((run) => run.id === id);
    if (known !== undefined && !known.ended) await this.#go(known);
    const { status } = this.#modification(id);
    if (status === 'unknown' || status === 'pending') await this.#syncModification(this.#modification(id));
    return this.#modification(id);
  }

  /** Gives a part of the money back. */
  async refund(name: string, amount: Money): Promise<void> {
    await this.act(name, 'refund', amount);
  }

  #beginModification(modification: HostModification, name: string, wanted: Money | undefined): void {
    const { runs, modifications, references, state } = this.payment;
    const remaining = remainingOf(this.payment, modification);
    const amount = wanted ?? remaining;
    if (modification !== 'recurring' && compareMoney(amount, remaining) > 0)
      throw new RangeError(`Only ${remaining.text} can be ${modification === 'refund' ? 'refunded' : 'moved'}.`);
    const held = WHOLE_FLOWS.some((flow) => flow === modification) ? { held: state.state === 'authorized' } : {};
    const run = this.#newRun(modification, name, { on: references.at(-1) ?? '', amount, remaining, ...held });
    this.#commit({
      runs: [...runs, run],
      modifications: [...modifications, { run: run.id, modification, amount, status: 'pending' }],
    });
  }

  #modification(run: string): ModificationRecord {
    const found = this.payment.modifications.find((each) => each.run === run);
    if (found === undefined) throw new Error(`${run} is no modification of the payment.`);
    return found;
  }

  /** Looks up a modification whose outcome is not known. */
  async #syncModification({ run, modification }: ModificationRecord): Promise<void> {
    const flow = modification === 'recurring' ? 'status' : 'modificationStatus';
    const { connector, method } = this.#world;
    const flows = connector.serves.find((served) => served.method === method)?.flows;
    if (flows?.[flow] === undefined) return;
    const polls = this.payment.polls + 1;
    this.#commit({ polls });
    const on = this.payment.references.at(-1) ?? '';
    const result = await this.#machinery.drive(
      runOf(this.#world, this.#newRun(flow, `${flow}/${polls}`, { on, about: run })),
      this.#host,
    );
    refuseFailure(result);
    if (result.kind === 'done') this.#stands(run, result.outcome, {});
  }

  #stands(
    run: string,
    { status, providerReference: reference, connectorState: values }: Outcome,
    beside: Partial<PaymentRecord>,
  ): void {
    const modifications = this.payment.modifications.map((each) =>
      each.run === run ? { ...each, status, reference } : each,
    );
    this.#commit({ ...beside, modifications, connectorState: { ...this.payment.connectorState, ...values } });
  }

  async #begin({ fields = {} }: Payer): Promise<void> {
    const { session, runs, answers } = this.payment;
    if (runs.length > 0) return;
    const all = { ...answers, ...fields };
    const resolution = resolve(this.#world, session, all);
    if (resolution.kind === 'invalid') throw new Error(JSON.stringify(resolution.issues));
    if (resolution.kind === 'missing') {
      this.#commit({ asks: resolution.fields.map(({ path }) => path) });
      return;
    }
    const run = this.#newRun(session.operation, session.operation, {});
    this.#commit({ answers: all, asks: [], runs: [run] });
    this.#holds = true;
    await this.#go(run);
    this.#holds = false;
  }

  /** A card number stays in the vault; all else is only in the memory of the process that was given it. */
  #open(part: CardPart): string | undefined {
    const isKept = part === 'number' || part === 'payee-number';
    return isKept || this.#holds ? partOf(this.#world, part) : undefined;
  }

  #newRun(flow: RunRecord['flow'], name: string, more: Partial<RunRecord>): RunRecord {
    const began = new Date(this.#world.now).toISOString();
    return { id: `${this.payment.id}/${name}`, flow, began, ended: false, ...more };
  }

  async #go(run: RunRecord, answer?: Signal): Promise<void> {
    const result = await this.#machinery.drive(runOf(this.#world, run), this.#host, answer);
    refuseFailure(result);
    if (result.kind === 'suspended') {
      const { nextAction } = result;
      this.#commit({ nextAction, ...(nextAction.kind === 'visit' && this.#watching(nextAction.reference)) });
      await this.#hearEarly();
    }
    if (result.kind === 'done') await this.#end(run, result.outcome);
  }

  async #end(run: RunRecord, outcome: Outcome): Promise<void> {
    const runs = this.payment.runs.map((each) => (each.id === run.id ? { ...each, ended: true } : each));
    if (this.payment.modifications.some((each) => each.run === run.id)) return this.#stands(run.id, outcome, { runs });
    // A code that could not be renewed says nothing about the codes that were shown before.
    if (run.flow === 'renew' && outcome.status !== 'pending') this.#commit({ runs });
    else if (run.flow === 'withdraw')
      await (outcome.status === 'declined' || outcome.status === 'settled'
        ? this.#apply({ kind: 'outcome', outcome, via: 'status' }, { runs })
        : this.#commit({ runs }));
    else await this.#apply({ kind: 'outcome', outcome, via: 'flow' }, { runs, nextAction: undefined });
  }

  /** The one place where a payment changes: decision, event and everything beside it in one commit. */
  async #apply(reported: PaymentChange | End, beside: Partial<PaymentRecord>): Promise<void> {
    const before = this.payment;
    const change = inState(before.state, reported);
    const decision = decide(before.state, change);
    const outcome = change.kind === 'outcome' ? change.outcome : undefined;
    const why = decision.do === 'quarantine' ? [decision.why] : [];
    this.#commit({
      ...beside,
      ...(outcome?.providerReference !== undefined && this.#watching(outcome.providerReference, change)),
      ...(decision.do === 'apply' && { state: decision.next }),
      ...(decision.do === 'apply' && outcome?.status === 'pending' && outcome.show && { show: outcome.show }),
      ...(decision.do === 'apply' && outcome?.status === 'declined' && { reason: outcome.reason }),
      agreement: { ...before.agreement, ...outcome?.agreement },
      connectorState: { ...before.connectorState, ...outcome?.connectorState },
      quarantined: [...before.quarantined, ...why],
    });
    await this.#hearEarly();
  }

  /** An older reference stays watched and does not become the current one again, unless it decided the payment. */
  #watching(reference: string, change?: PaymentChange): Pick<PaymentRecord, 'references'> {
    const { references } = this.payment;
    const decides = change?.kind === 'outcome' && change.outcome.status === 'settled';
    if (references.includes(reference) && !decides) return { references };
    return { references: [...references.filter((each) => each !== reference), reference] };
  }

  async #hearEarly(): Promise<void> {
    const { early, references } = this.payment;
    const known = early.filter(({ providerReference: reference }) => references.includes(reference));
    for (const event of known) await this.#happen(event, 'notification');
    if (known.length > 0)
      this.#commit({
        early: this.payment.early.filter((event) => !known.some((each) => eventKey(each) === eventKey(event))),
      });
  }

  async #happen(event: ProviderEvent, via: 'notification' | 'status'): Promise<void> {
    const { events, early, references } = this.payment;
    const key = eventKey(event);
    if (events.includes(key)) return;
    if (!references.includes(event.providerReference) && !isReportOfOurs(event)) {
      if (!early.some((each) => eventKey(each) === key)) this.#commit({ early: [...early, event] });
      return;
    }
    const seen = { events: [...events, key] };
    switch (event.kind) {
      case 'payment':
        return this.#apply({ kind: 'outcome', outcome: event.outcome, via }, seen);
      case 'deposit':
        return event.rejected ? this.#commit(seen) : this.#apply({ ...event, kind: 'deposit', via }, seen);
      case 'returned':
        await this.answer({ reference: event.providerReference, values: event.values });
        // Only afterwards: an answer is taken once, however often it is brought.
        return this.#commit({ events: [...this.payment.events, key] });
      case 'chargeback':
      case 'reversal':
      case 'ended':
      case 'hold-expired':
      case 'facts':
        return this.#apply({ ...event, via }, seen);
      default:
        return this.#commit({ ...seen, ...afterReport(this.payment, event) });
    }
  }

  #commit(change: Partial<PaymentRecord>): void {
    const { disk, points } = this.#world;
    points.pass('before commit');
    const before = disk.payment ?? newPayment(this.#world);
    disk.payment = structuredClone({ ...before, ...change });
    points.pass('after commit');
  }
}

/** A connector that throws is at fault; an example must not be. */
function refuseFailure(result: DriveResult): void {
  if (result.kind === 'failed') throw result.error;
}

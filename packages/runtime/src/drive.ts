import { declined, type Outcome, unknown } from '@railyard/core';
import type { AnyEndpoint, CredentialEffect, Effect, SigningMoment } from '@railyard/core/driver';
import { cardMask } from './card-mask.ts';
import { ConnectorFault, inConnector } from './connector-fault.ts';
import { credentialName } from './credentials.ts';
import { reportWords } from './drift/sightings.ts';
import { flowOf } from './flow-of.ts';
import type { JournalEntry } from './journal.ts';
import { type CallResult, fetchCredential, performCall, type Progress, withoutCredential } from './perform-call.ts';
import { type PlainJson, plainJson } from './plain-json.ts';
import { unlessOfRepeat } from './repeated-answer.ts';
import type { Signal, DriveResult, Host, Run, PayerEffect } from './run.ts';
import { signedValues } from './signed-answer.ts';
import { storableReport } from './storable.ts';
import { isFor, readSignal, repeats, nextActionOf } from './next-action.ts';
import { stepKey } from './step-key.ts';

/**
 * Drives a run as far as it goes: to its end, to the payer's next action, or to a step that has no reply yet.
 * Every drive begins at the top of the flow; steps with a reply are answered from the journal and not sent again.
 * A run must not be driven by two callers at once: the host holds a lease on it.
 *
 * Rejects only with errors of the host itself (its journal, its transport); then the run may be driven again.
 *
 * @param answer what the payer or the provider brings to the step at which the run is suspended
 */
export async function drive(run: Run, host: Host, answer?: Signal): Promise<DriveResult> {
  const brought: Brought = { answer };
  const first = await driveOnce(run, host, brought, true);
  // A refused credential was dropped: once more from the top, with a new one.
  return first === 'renew-credential' ? expectResult(await driveOnce(run, host, brought, false)) : first;
}

function expectResult(result: DriveResult | 'renew-credential'): DriveResult {
  if (result === 'renew-credential') throw new Error('A credential is renewed once.');
  return result;
}

/** A signal is for one effect: it is taken away once it is used. */
interface Brought {
  answer: Signal | undefined;
}

/** The state of one pass over the flow. */
interface Pass extends Progress {
  readonly entries: readonly JournalEntry[];
  at: number;
  readonly names: Map<string, number>;
  readonly credentials: Map<string, PlainJson>;
  readonly brought: Brought;
  readonly mayRenew: boolean;
  /** The last step that may move money, if its reply answers a repeat. */
  repeated: string | undefined;
  /** The endpoint of the last call: whose reply holds the word that the flow read. */
  called: string;
}

type Next = { readonly value: unknown } | { readonly stop: DriveResult | 'renew-credential' };

async function driveOnce(
  run: Run,
  host: Host,
  brought: Brought,
  mayRenew: boolean,
): Promise<DriveResult | 'renew-credential'> {
  const entries = await host.journal.load(run.id);
  const mayHaveMoved = hasMoved(run, entries);
  const credentials: Pass['credentials'] = new Map();
  const credential = (effect: CredentialEffect) => credentialOf(run, host, pass, effect);
  const found = { names: new Map(), credentials, credential, asked: {}, repeated: undefined, called: '' };
  const pass: Pass = { entries, at: 0, ...found, brought, mayRenew, mayHaveMoved };
  try {
    return await follow(run, host, pass);
  } catch (error) {
    if (error instanceof ConnectorFault) return { kind: 'failed', error: error.fault, mayHaveMoved: pass.mayHaveMoved };
    throw error;
  }
}

async function follow(run: Run, host: Host, pass: Pass): Promise<DriveResult | 'renew-credential'> {
  const steps = inConnector(() => flowOf(run));
  let next = inConnector(() => steps.next());
  while (!next.done) {
    const going = await perform(run, host, pass, next.value);
    if ('stop' in going) return going.stop;
    next = inConnector(() => steps.next(going.value));
  }
  if (pass.at < pass.entries.length) return changed(pass);
  const report = storableReport(next.value);
  reportWords(host, run.connector, pass.called, report);
  if ('events' in report) return { kind: 'reported', report };
  return { kind: 'done', outcome: unlessOfRepeat(report, pass.repeated) };
}

async function perform(run: Run, host: Host, pass: Pass, effect: Effect): Promise<Next> {
  if (effect.kind === 'call' || effect.kind === 'credential') inConnector(() => expectListed(run, effect.endpoint));
  if (effect.kind === 'credential') {
    const value = await pass.credential(effect);
    return value === undefined ? afterCall(run, host, pass, withoutCredential(effect, pass)) : { value };
  }
  const step = stepName(pass, effect.step);
  const entry = pass.entries[pass.at];
  if (entry !== undefined && (entry.step !== step || entry.kind !== effect.kind)) return { stop: changed(pass) };
  pass.at += 1;
  if (effect.kind !== 'call') return performPayerEffect(run, host, pass, effect, step, entry);
  pass.called = effect.endpoint.name;
  const result = await performCall(run, host, pass, effect, step, entry);
  // A flow goes on after a step only if it takes its reply as positive, so what a later one is answered is an answer again.
  if (result.kind === 'value' && effect.endpoint.repeat !== 'safe') pass.repeated = result.repeated ? step : undefined;
  return afterCall(run, host, pass, result);
}

function expectListed({ connector }: Run, endpoint: AnyEndpoint): void {
  if (!connector.endpoints.includes(endpoint))
    throw new Error(`Connector ${connector.id}: list the endpoint "${endpoint.name}" under endpoints.`);
}

function afterCall(run: Run, host: Host, pass: Pass, result: CallResult): Next {
  const { mayHaveMoved } = pass;
  switch (result.kind) {
    case 'value':
      return { value: result.value };
    case 'interrupted':
      return { stop: { ...result, mayHaveMoved } };
    case 'lost': {
      const { why, ...asked } = result;
      return { stop: { ...asked, kind: 'done', outcome: unknown(why) } };
    }
    case 'card-gone':
      return { stop: { kind: 'done', outcome: cardGone(mayHaveMoved) } };
    case 'unauthorized': {
      for (const [name, value] of pass.credentials) host.credentials.drop(name, value);
      if (pass.mayRenew && pass.credentials.size > 0) return { stop: 'renew-credential' };
      return {
        stop: {
          kind: 'interrupted',
          why: `The provider refused the credentials of ${run.mid}. Check its settings.`,
          mayHaveMoved,
        },
      };
    }
  }
}

/** A request that needs card data after it was forgotten is never sent; whether an earlier one went through is for a lookup. */
function cardGone(mayHaveMoved: boolean): Outcome {
  return mayHaveMoved ? unknown('The card data is no longer held.') : declined('soft', 'card_needed_again');
}

/** The credential that is held or fetched; kept with the pass, so that it is dropped where it is refused. */
async function credentialOf(run: Run, host: Host, pass: Pass, effect: CredentialEffect) {
  const name = credentialName(run.connector.id, run.mid, effect);
  const value = await host.credentials.get(name, () => fetchCredential(run, host, pass, effect));
  if (value !== undefined) pass.credentials.set(name, value);
  return value;
}

async function performPayerEffect(
  run: Run,
  host: Host,
  { brought, mayHaveMoved }: Pass,
  effect: PayerEffect,
  step: string,
  entry: JournalEntry | undefined,
): Promise<Next> {
  const answer = withoutCards(host, brought.answer, effect);
  if (entry?.state === 'done') {
    if (answer !== undefined && repeats(answer, effect, entry.reply)) brought.answer = undefined;
    return { value: entry.reply ?? null };
  }
  if (entry === undefined) await host.journal.begin(run.id, step, effect.kind);
  const moment = { now: Math.floor((host.now ?? Date.now)() / 1000), id: stepKey(run.id, step) };
  const nextAction = inConnector(() => nextActionOf(effect, step, mayHaveMoved, moment));
  if (answer === undefined || !isFor(answer, effect, step))
    return { stop: { kind: 'suspended', nextAction, problems: [] } };
  const genuine = await genuineAnswer(answer, effect, moment);
  if (genuine === undefined) {
    const problem = { field: '', message: 'The values that came back are not signed for this visit.' };
    return { stop: { kind: 'suspended', nextAction, problems: [problem] } };
  }
  const read = inConnector(() => readSignal(genuine, effect));
  if (!read.ok) return { stop: { kind: 'suspended', nextAction, problems: read.problems } };
  brought.answer = undefined;
  return { value: await host.journal.finish(run.id, step, read.reply) };
}

/** The answer with the values that the provider has signed, where it signs them; nothing where they are not genuine. */
async function genuineAnswer(answer: Signal, effect: PayerEffect, moment: SigningMoment): Promise<Signal | undefined> {
  if (effect.kind !== 'visit' || effect.signedAnswer === undefined || 'resend' in answer) return answer;
  const asked = { fields: effect.fields, nonce: moment.id, now: moment.now * 1000 };
  const values = await signedValues(effect.signedAnswer, answer.values, asked);
  return values && { ...answer, values };
}

/** A payer who comes back brings what the provider wrote into the address or the form, which may be the card. */
function withoutCards(host: Host, answer: Signal | undefined, { kind }: PayerEffect): Signal | undefined {
  if (kind !== 'visit' || answer === undefined || 'resend' in answer) return answer;
  const { reply } = cardMask(host);
  const values = Object.fromEntries(
    Object.entries(answer.values).map(
      ([name, value]) => Object.entries(Object(reply(plainJson({ [name]: value }, 'An answer'))))[0] ?? [name, null],
    ),
  );
  return { ...answer, values };
}

/** A step met again in a loop is `name#2`, `name#3`. */
function stepName(pass: Pass, name: string): string {
  const count = (pass.names.get(name) ?? 0) + 1;
  pass.names.set(name, count);
  return count === 1 ? name : `${name}#${count}`;
}

/** Whether a request that may move money was sent, by the journal of a run. */
export function hasMoved(run: Run, entries: readonly JournalEntry[]): boolean {
  return entries.some((entry) => {
    if (entry.kind !== 'call' || entry.state === 'not-sent') return false;
    const endpoint = run.connector.endpoints.find((each) => each.name === entry.step.replace(/#\d+$/, ''));
    return endpoint?.repeat !== 'safe';
  });
}

/** The journal's steps no longer match the flow: no step is repeated, and the payment is looked up. */
function changed(pass: Pass): DriveResult {
  const at = pass.entries[pass.at]?.step ?? '';
  return { kind: 'done', outcome: unknown(`The flow changed while it was under way (at "${at}").`) };
}

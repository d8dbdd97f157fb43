import { randomUUID } from 'node:crypto';
import { readPath } from '@railyard/core';
import {
  type AnyEndpoint,
  type CallEffect,
  type CardHandle,
  type CredentialEffect,
  type Finder as AnyFinder,
  requestOf,
  TOO_MANY_REQUESTS,
} from '@railyard/core/driver';
import { type CardMask, cardMask, withoutLongNumbers } from './card-mask.ts';
import { readBody } from './codecs.ts';
import { ConnectorFault, inConnector } from './connector-fault.ts';
import { reportDrift } from './drift/sightings.ts';
import { encodeRequest } from './encode.ts';
import type { JournalEntry } from './journal.ts';
import type { PlainJson } from './plain-json.ts';
import { plainJson } from './plain-json.ts';
import { readReply, type ReadReply } from './read-reply.ts';
import { hiddenTexts, redact, withoutTexts } from './redact.ts';
import { requestedWaitMs } from './retry-after.ts';
import type { Host, RetryAfter, Run, TurnedAway } from './run.ts';
import { stepKey } from './step-key.ts';
import type { HttpResult } from './transport.ts';

export type CallResult =
  | { readonly kind: 'value'; readonly value: PlainJson; readonly repeated: boolean }
  /** May be driven again. */
  | ({ readonly kind: 'interrupted'; readonly why: string } & TurnedAway)
  /** May not be repeated and has no reply: only a lookup can find out. */
  | ({ readonly kind: 'lost'; readonly why: string } & RetryAfter)
  | { readonly kind: 'card-gone' }
  | { readonly kind: 'unauthorized' };

export interface Progress {
  /** Whether money may have moved so far; kept up to date while a call is under way, because the call may not come back. */
  mayHaveMoved: boolean;
  /** The credential that is held or fetched; nothing where the provider gives none. */
  credential(effect: CredentialEffect): Promise<PlainJson | undefined>;
  /** How long the provider asked to wait instead of a credential. */
  asked: RetryAfter;
}

export const withoutCredential = ({ endpoint }: CredentialEffect, { asked }: Progress): CallResult => ({
  kind: 'interrupted',
  why: `${endpoint.name} gave no credential.`,
  ...asked,
});

/** Thrown while a request is encoded when a card part is no longer held. */
class CardGone extends Error {}

/** One step that calls the provider: from the journal if it has a reply, else sent as its repeat policy allows. */
export async function performCall(
  run: Run,
  host: Host,
  progress: Progress,
  effect: CallEffect,
  step: string,
  entry: JournalEntry | undefined,
): Promise<CallResult> {
  if (entry?.state === 'done') return { kind: 'value', value: entry.reply ?? null, repeated: isRepeated(entry) };
  const { endpoint } = effect;
  const maybeSent = entry?.state === 'begun';
  if (maybeSent && endpoint.repeat === 'once')
    return { kind: 'lost', why: `${endpoint.name} was begun and has no reply.` };
  if (maybeSent && isForgotten(endpoint, entry, host))
    return { kind: 'lost', why: `${endpoint.name} has no reply, and its key is older than the provider keeps keys.` };
  if (maybeSent && endpoint.repeat === 'by-reference') {
    const found = await find(run, host, progress, effect, step, entry);
    if (found.kind !== 'absent') return found;
  }
  return send(run, host, progress, effect, step, maybeSent);
}

const HOUR_MS = 3_600_000;

const isForgotten = ({ keyed }: AnyEndpoint, { begunAt }: JournalEntry, { now = Date.now }: Host) =>
  keyed !== undefined && now() - Date.parse(begunAt) >= keyed.forHours * HOUR_MS;

async function send(
  run: Run,
  host: Host,
  progress: Progress,
  effect: CallEffect,
  step: string,
  maybeSent: boolean,
): Promise<CallResult> {
  const { endpoint } = effect;
  const exchange = prepare(run, host, effect, step);
  if (exchange === 'card-gone') return { kind: 'card-gone' };
  const before = progress.mayHaveMoved;
  await host.journal.begin(run.id, step, 'call');
  progress.mayHaveMoved ||= endpoint.repeat !== 'safe';
  const { result, reply } = await exchange.send();
  // The 401 of a gateway may follow on work that was done, also where the endpoint describes it as a refusal.
  const mayHaveActed = endpoint.repeat !== 'safe' && (isUnauthorized(result) || maybeSent);
  const answers = reply?.kind === 'known' && !(mayHaveActed && reply.refuses);
  if (answers)
    return { kind: 'value', value: await host.journal.finish(run.id, step, reply.value), repeated: maybeSent };
  const isTurnedAway = hasStatus(result, TOO_MANY_REQUESTS) && reply?.kind === 'unrecognised';
  const asked = retryAfter(host, result);
  if (result.kind === 'not-sent' || isTurnedAway) {
    if (!maybeSent) await host.journal.notSent(run.id, step);
    progress.mayHaveMoved = before;
    // A send before this one may have arrived.
    const isInDoubt = maybeSent && endpoint.repeat !== 'safe';
    const why = isTurnedAway ? reply.why : 'why' in result ? result.why : '';
    return { kind: 'interrupted', why, ...asked, ...(isTurnedAway && !isInDoubt && { turnedAway: true }) };
  }
  if (isUnauthorized(result)) return { kind: 'unauthorized' };
  if (reply?.kind === 'known')
    return {
      kind: 'lost',
      why: `${endpoint.name} was refused when it was sent again; the send before it has no reply.`,
    };
  const why =
    reply?.kind === 'unrecognised'
      ? `The provider's answer was not understood: ${reply.why}.`
      : 'why' in result
        ? result.why
        : '';
  return { kind: endpoint.repeat === 'once' ? 'lost' : 'interrupted', why, ...asked };
}

/** Whether its reply answers a repeat: it was sent again although an earlier send may have arrived. */
const isRepeated = ({ sends }: JournalEntry) => sends > 1;

const hasStatus = (result: HttpResult, status: number) => result.kind === 'reply' && result.status === status;

const isUnauthorized = (result: HttpResult) => hasStatus(result, 401);

/** The longest wait that a provider is granted. */
const LONGEST_WAIT_MS = 3_600_000;

function retryAfter(host: Host, result: HttpResult): RetryAfter {
  if (result.kind !== 'reply') return {};
  const ms = requestedWaitMs(result.status, result.headers['retry-after'], (host.now ?? Date.now)());
  return ms > 0 ? { retryAfterMs: Math.min(ms, LONGEST_WAIT_MS) } : {};
}

/** Asks the provider what became of a request that may have been sent. */
async function find(
  run: Run,
  host: Host,
  progress: Progress,
  effect: CallEffect,
  step: string,
  entry: JournalEntry,
): Promise<CallResult | { readonly kind: 'absent' }> {
  const finder = effect.endpoint.find;
  if (finder === undefined) return { kind: 'lost', why: `${effect.endpoint.name} was begun and has no reply.` };
  const context = { settings: run.settings, key: stepKey(run.id, step), credential: effect.credential };
  const steps = inConnector(() => finder.steps(effect.input, context));
  let next = inConnector(() => steps.next());
  for (let calls = 0; !next.done;) {
    const { value: lookup } = next;
    if (lookup.kind === 'credential') {
      const credential = await progress.credential(lookup);
      if (credential === undefined) return withoutCredential(lookup, progress);
      next = inConnector(() => steps.next(credential));
      continue;
    }
    const asked = inConnector(() => lookupOf(effect, lookup, calls));
    calls += 1;
    const answer = await findLostReply(run, host, asked, step);
    if ('kind' in answer) return answer;
    next = inConnector(() => steps.next(answer.value));
  }
  const answer = next.value;
  if (answer === 'absent') return { kind: 'absent' };
  if (answer === 'unclear')
    return { kind: 'lost', why: `${namesOf(finder)} does not say what became of ${effect.endpoint.name}.` };
  const value = inConnector(() => plainJson(answer.found, `What ${namesOf(finder)} found`));
  return { kind: 'value', value: await host.journal.finish(run.id, step, value), repeated: isRepeated(entry) };
}

const namesOf = ({ endpoints }: AnyFinder<unknown, unknown, unknown>) => endpoints.map(({ name }) => name).join(', ');

/** More calls than any lookup needs: a finder that goes on for longer waits for something. */
const MOST_LOOKUPS = 10;

function lookupOf({ endpoint: { name, find: finder } }: CallEffect, effect: CallEffect, calls: number): CallEffect {
  if (finder?.endpoints.includes(effect.endpoint) !== true || effect.endpoint.repeat !== 'safe')
    throw new Error(`"${name}" is found by calls of the safe endpoints that its \`find\` lists, and by nothing else.`);
  if (calls === MOST_LOOKUPS)
    throw new Error(`"${name}" is not found by ${MOST_LOOKUPS} calls. Answer "unclear" sooner.`);
  return effect;
}

async function findLostReply(
  run: Run,
  host: Host,
  effect: CallEffect,
  step: string,
): Promise<Exclude<CallResult, { readonly kind: 'value' }> | { readonly value: PlainJson }> {
  const exchange = prepare(run, host, effect, step);
  if (exchange === 'card-gone') return { kind: 'card-gone' };
  const { result, reply } = await exchange.send();
  if (reply?.kind === 'unrecognised' && isUnauthorized(result)) return { kind: 'unauthorized' };
  if (reply?.kind === 'known') return { value: reply.value };
  const why = 'why' in result ? result.why : `${effect.endpoint.name} gave no answer.`;
  return { kind: 'interrupted', why, ...retryAfter(host, result) };
}

/** A credential is fetched outside the journal: asking twice does no harm, and it must not be written down. */
export async function fetchCredential(run: Run, host: Host, progress: Progress, effect: CredentialEffect) {
  const { endpoint } = effect;
  // Each is another request, nothing of it is repeated: a server that takes a `jti` once would refuse the one before.
  const exchange = prepare(run, host, effect, endpoint.name, randomUUID());
  if (exchange === 'card-gone') return undefined;
  const { result, reply } = await exchange.send();
  progress.asked = retryAfter(host, result);
  if (reply?.kind !== 'known') return undefined;
  return { value: reply.value, lifetimeSeconds: inConnector(() => endpoint.lifetimeSeconds?.(reply.value) ?? 0) };
}

interface Exchange {
  send(): Promise<{ readonly result: HttpResult; readonly reply: ReadReply | undefined }>;
}

/** Builds and encodes a request before anything is journaled, so that a builder at fault leaves no trace of a send. */
function prepare(
  run: Run,
  host: Host,
  effect: CallEffect | CredentialEffect,
  step: string,
  signedId?: string,
): Exchange | 'card-gone' {
  const { endpoint } = effect;
  const key = stepKey(run.id, step);
  const wire = inConnector(() => requestOf(effect, { settings: run.settings, key }));
  const open = (handle: CardHandle) => {
    const part = host.openCard?.(handle);
    if (part === undefined) throw new CardGone();
    return part;
  };
  const moment = { now: Math.floor((host.now ?? Date.now)() / 1000), id: signedId ?? key };
  const encode = () => encodeRequest(run.connector, run.settings, endpoint, wire, moment, open);
  let request: ReturnType<typeof encode>;
  try {
    request = encode();
  } catch (error) {
    if (error instanceof CardGone) return 'card-gone';
    throw new ConnectorFault(error);
  }
  return {
    async send() {
      // Before the call: a code may be forgotten while the provider takes its time.
      const mask = cardMask(host);
      const result = await host.transport.send(request);
      const reply = result.kind === 'reply' ? readMasked(endpoint, result, mask) : undefined;
      if (reply !== undefined) reportDrift(host, run.connector, endpoint, reply);
      const sent = wire.json ?? wire.form ?? wire.xml;
      const hidden = hiddenTexts([sent, wire.headers], endpoint.visible);
      host.log?.({
        event: 'provider-call',
        connector: run.connector.id,
        endpoint: endpoint.name,
        run: run.id,
        step,
        result: reply?.kind ?? (result.kind === 'reply' ? 'unrecognised' : result.kind),
        ...(result.kind === 'reply' && {
          status: result.status,
          // A failing provider often repeats the request in its answer.
          reply: withoutLongNumbers(
            withoutTexts(redact(bodyWithoutCards(endpoint, result, reply, mask), endpoint.visible), hidden),
          ),
        }),
        ...(reply?.kind === 'known' && !endpoint.plain && headersOf(reply, endpoint.visible)),
        ...(result.kind !== 'reply' && { why: result.why }),
        ...(reply?.kind === 'unrecognised' && { why: reply.why }),
        request: withoutLongNumbers(redact(sent, endpoint.visible)),
      });
      return { result, reply };
    },
  };
}

/** Read anew only where a card was taken out of its text. */
function bodyWithoutCards(
  { codec }: AnyEndpoint,
  { body }: Extract<HttpResult, { kind: 'reply' }>,
  reply: ReadReply | undefined,
  mask: CardMask,
): unknown {
  const text = mask.text(body);
  return text === body && reply !== undefined ? reply.body : readBody(text, codec);
}

/** The declared headers of a reply, masked as its body is. */
function headersOf({ value }: Extract<ReadReply, { kind: 'known' }>, visible: readonly string[]) {
  const headers = readPath(value, 'headers');
  return headers === undefined ? {} : { headers: withoutLongNumbers(redact(headers, visible, 'headers')) };
}

function readMasked(endpoint: AnyEndpoint, result: Extract<HttpResult, { kind: 'reply' }>, mask: CardMask): ReadReply {
  const reply = inConnector(() => readReply(endpoint, result));
  return reply.kind === 'known' ? { ...reply, value: mask.reply(reply.value) } : reply;
}

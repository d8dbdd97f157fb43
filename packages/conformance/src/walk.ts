import type { Outcome, StatusReport, Steps } from '@railyard/core';
import {
  type AnyEndpoint,
  type CallEffect,
  type CredentialEffect,
  type Effect,
  requestOf,
  type Wire,
} from '@railyard/core/driver';
import { readBody, replyValue, type Run, writeBody } from '@railyard/runtime';
import { uuidOf } from './host/world.ts';
import type { SampleSignal } from './types.ts';

/** A request that a flow made, before it is encoded. */
export interface WalkedRequest {
  readonly step: string;
  readonly endpoint: AnyEndpoint;
  readonly input: unknown;
  readonly key: string;
  readonly settings: unknown;
  /** The reply of the endpoint's `access`. */
  readonly credential?: unknown;
  readonly wire: Wire;
}

export type WalkEnd =
  | { readonly kind: 'done'; readonly report: StatusReport }
  /** The flow waits for values that the sample does not give. */
  | { readonly kind: 'stopped'; readonly why: string }
  | { readonly kind: 'threw'; readonly error: unknown };

export interface Walk {
  readonly requests: readonly WalkedRequest[];
  /** The effects on the way that wait for the payer. */
  readonly nextActions: readonly Exclude<Effect, { kind: 'call' | 'credential' }>[];
  readonly end: WalkEnd;
}

export type Adapt = (request: WalkedRequest, body: unknown) => unknown;

export interface WalkOptions {
  readonly signals?: Readonly<Record<string, SampleSignal>> | undefined;
  /** Another reply than the endpoint's first example, as the flow sees it; `not-read` ends the walk: no other reply stands in for it. */
  readonly reply?: (request: WalkedRequest) => { readonly value: unknown } | 'not-read' | undefined;
  /** Makes the body of an example one about the payment that the request is about. */
  readonly adapt?: Adapt | undefined;
}

/** More steps than any payment needs: a flow that goes on for longer never ends. */
const MOST_STEPS = 100;

/** Runs a flow without a network, from its beginning: calls are answered from the endpoints' examples. */
export function walk(run: Run, options: WalkOptions = {}): Walk {
  const going = walking(run, options);
  while (going.step());
  return going.walked();
}

/** A walk that is taken step by step, so that several can be interleaved. */
export function walking(run: Run, { signals = {}, reply, adapt }: WalkOptions = {}) {
  const requests: WalkedRequest[] = [];
  const met: Walk['nextActions'][number][] = [];
  const names = new Map<string, number>();
  let end: WalkEnd | undefined;
  let flow: Steps<Outcome | StatusReport> | undefined;
  let value: unknown;
  let steps = 0;
  const credentials = new Map<string, { readonly value: unknown }>();
  const request = (step: string, effect: CallEffect | CredentialEffect) => {
    const made = walkedRequest(effect, { step, settings: run.settings, key: uuidOf(`${run.id}/${step}`) });
    requests.push(made);
    return reply?.(made) ?? exampleReply(made, { adapt });
  };
  const answer = (effect: Effect): { readonly value: unknown } | string => {
    if (effect.kind === 'credential') {
      const { endpoint, input } = effect;
      const name = `${endpoint.name}/${String(input)}`;
      const held = credentials.get(name) ?? request(endpoint.name, effect);
      if (held === undefined || held === 'not-read') return noExample(endpoint);
      credentials.set(name, held);
      return held;
    }
    const count = (names.get(effect.step) ?? 0) + 1;
    names.set(effect.step, count);
    const step = count === 1 ? effect.step : `${effect.step}#${count}`;
    if (effect.kind === 'call') {
      const answered = request(step, effect) ?? 'not-read';
      return answered === 'not-read' ? noExample(effect.endpoint) : answered;
    }
    met.push(effect);
    return (
      signalReply(effect, step, signals) ??
      `The payer's answer at "${step}" is missing. Give it under signals of the sample.`
    );
  };
  return {
    /** Takes one step; `false` once the flow has ended. */
    step(): boolean {
      if (end !== undefined) return false;
      try {
        flow ??= beginning(run);
        const next = flow.next(value);
        steps += 1;
        if (next.done === true) end = { kind: 'done', report: next.value };
        else if (steps > MOST_STEPS) end = { kind: 'stopped', why: `It does not end within ${MOST_STEPS} steps.` };
        else {
          const answered = answer(next.value);
          if (typeof answered === 'string') end = { kind: 'stopped', why: answered };
          else value = answered.value;
        }
      } catch (error) {
        end = { kind: 'threw', error };
      }
      return end === undefined;
    },
    walked: (): Walk => ({ requests, nextActions: met, end: end ?? { kind: 'stopped', why: 'It has not ended.' } }),
  };
}

/** The request of an effect, as the walk notes it. */
export function walkedRequest(
  effect: CallEffect | CredentialEffect,
  { step, settings, key }: Pick<WalkedRequest, 'step' | 'settings' | 'key'>,
): WalkedRequest {
  const { endpoint, input } = effect;
  const credential = effect.kind === 'call' ? effect.credential : undefined;
  return { step, endpoint, input, key, settings, credential, wire: requestOf(effect, { settings, key }) };
}

const noExample = ({ name }: AnyEndpoint) => `The endpoint "${name}" has no example that its schema reads.`;

function beginning(run: Run): Steps<Outcome | StatusReport> {
  const flow = run.connector.serves.find((each) => each.method.key === run.method.key)?.flows[run.flow];
  if (flow === undefined) throw new Error(`There is no flow ${run.flow}.`);
  return typeof flow === 'function' ? flow(run.context) : flow.flow(run.context);
}

function signalReply(
  effect: Exclude<Effect, { kind: 'call' | 'credential' }>,
  step: string,
  signals: Readonly<Record<string, SampleSignal>>,
): { readonly value: unknown } | undefined {
  const given = signals[step];
  if (effect.kind === 'collect') {
    if (given === undefined) return undefined;
    if ('resend' in given) return { value: { resend: true } };
    const values = effect.fields.parse(given.values);
    return { value: effect.resend === true ? { resend: false, values } : values };
  }
  const made = Object.fromEntries(Object.keys(effect.until.shape).map((name) => [name, 'brought-back']));
  const parsed = effect.until.safeParse(given !== undefined && 'values' in given ? given.values : made);
  return parsed.success ? { value: parsed.data } : undefined;
}

interface Wanted extends Pick<WalkOptions, 'adapt'> {
  /** The number of the example; the first that is read unless given. */
  readonly at?: number | undefined;
  /** A change of its body, after it was adapted. */
  readonly change?: (body: unknown) => unknown;
}

/** The reply of an example as the flow sees it, or nothing where no example is read by its variant's schema. */
export function exampleReply(
  request: WalkedRequest,
  { at, adapt, change }: Wanted = {},
): { readonly value: unknown } | undefined {
  const { endpoint } = request;
  const examples = at === undefined ? endpoint.examples : endpoint.examples.slice(at, at + 1);
  for (const { is, body: shown, headers } of examples) {
    const name = is ?? Object.keys(endpoint.variants)[0] ?? '';
    const adapted = adapt === undefined ? shown : adapt(request, shown);
    // The names that the kit makes up may not have the form of the provider's: the example is then read as it is shown.
    for (const own of new Set([adapted, shown])) {
      const read = replyValue(endpoint, name, asArrives(endpoint, change === undefined ? own : change(own)), headers);
      if (read.ok) return { value: read.value };
    }
  }
  return undefined;
}

/** Whether an endpoint's first example is read with the names that the kit made up, as far as it is read at all. */
export function takesNames(request: WalkedRequest, adapt: Adapt | undefined): boolean {
  const { endpoint } = request;
  const [example] = endpoint.examples;
  if (adapt === undefined || example === undefined) return true;
  const name = example.is ?? Object.keys(endpoint.variants)[0] ?? '';
  const reads = (body: unknown) => replyValue(endpoint, name, asArrives(endpoint, body), example.headers).ok;
  return reads(adapt(request, example.body)) || !reads(example.body);
}

/** The options of a walk in which one endpoint answers with another example, or with a changed one. */
export function answering(options: WalkOptions, endpoint: AnyEndpoint, wanted: Omit<Wanted, 'adapt'>): WalkOptions {
  return {
    ...options,
    reply: (request) =>
      request.endpoint === endpoint
        ? (exampleReply(request, { ...wanted, adapt: options.adapt }) ?? 'not-read')
        : options.reply?.(request),
  };
}

/** A body as it arrives: written and read again, so that numbers keep their digits. */
export function asArrives({ codec }: AnyEndpoint, body: unknown): unknown {
  return readBody(textOfBody(codec, body), codec);
}

export function textOfBody(codec: AnyEndpoint['codec'], body: unknown): string {
  return typeof body === 'string' && codec !== 'json' ? body : writeBody(body, codec);
}

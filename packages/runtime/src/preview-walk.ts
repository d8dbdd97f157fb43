import type { Outcome, StatusReport, Steps } from '@railyard/core';
import {
  type AnyEndpoint,
  type CallEffect,
  type CredentialEffect,
  type Effect,
  requestOf,
  type Wire,
} from '@railyard/core/driver';
import type * as z from 'zod';
import { replyValue } from './read-reply.ts';
import type { Run } from './run.ts';
import { stepKey } from './step-key.ts';

/** One request of a walk, before it is encoded. */
export interface WalkedRequest {
  readonly step: string;
  readonly endpoint: AnyEndpoint;
  readonly wire: Wire;
  /** `true`: its reply is a credential. */
  readonly secret: boolean;
}

/** A question or a visit that was met, with its answer. */
export interface WalkedSignal {
  readonly step: string;
  readonly fields: z.ZodObject;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Walk {
  readonly requests: readonly WalkedRequest[];
  readonly signals: readonly WalkedSignal[];
  /** Why the walk ended: the flow's outcome, a question to the payer without an answer, an endpoint without an example. */
  readonly end: string;
}

/** The answers of the provider and the payer during a preview: by step, in the place of a network and a page. */
export interface PreviewAnswers {
  /** Replies as the flow sees them. */
  readonly replies: Readonly<Record<string, unknown>>;
  readonly signals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Runs a flow without a network: every call is answered from the endpoint's examples. */
export function walk(run: Run, flow: Steps<Outcome | StatusReport>, answers: PreviewAnswers): Walk {
  const met: Met = { requests: [], signals: [], names: new Map(), credentials: new Set() };
  let next = flow.next();
  while (!next.done) {
    const answer = answerTo(run, next.value, answers, met);
    if ('end' in answer) return { ...met, end: answer.end };
    next = flow.next(answer.value);
  }
  return { ...met, end: 'status' in next.value ? next.value.status : 'events' };
}

interface Met {
  readonly requests: WalkedRequest[];
  readonly signals: WalkedSignal[];
  /** How often each name was met: the second time it is `name#2`. */
  readonly names: Map<string, number>;
  /** Endpoints whose credential is held: it is asked for once. */
  readonly credentials: Set<string>;
}

function answerTo(run: Run, effect: Effect, answers: PreviewAnswers, met: Met) {
  if (effect.kind === 'credential') {
    const { endpoint, input } = effect;
    const name = input === undefined ? endpoint.name : `${endpoint.name} (${String(input)})`;
    if (!met.credentials.has(name)) request(run, effect, name, met);
    met.credentials.add(name);
    return replyTo(effect.endpoint, name, answers);
  }
  const count = (met.names.get(effect.step) ?? 0) + 1;
  met.names.set(effect.step, count);
  const step = count === 1 ? effect.step : `${effect.step}#${count}`;
  if (effect.kind === 'call') {
    request(run, effect, step, met);
    return replyTo(effect.endpoint, step, answers);
  }
  const values = Object.hasOwn(answers.signals, step) ? answers.signals[step] : undefined;
  if (values === undefined) return { end: `the payer's next action: ${step}` };
  met.signals.push({ step, fields: effect.kind === 'collect' ? effect.fields : effect.until, values });
  return { value: values };
}

function request(run: Run, effect: CallEffect | CredentialEffect, step: string, met: Met): void {
  const { kind, endpoint } = effect;
  const wire = requestOf(effect, { settings: run.settings, key: stepKey(run.id, step) });
  const secret = kind === 'credential' || endpoint.lifetimeSeconds !== undefined;
  met.requests.push({ step, endpoint, wire, secret });
}

function replyTo(endpoint: AnyEndpoint, step: string, answers: PreviewAnswers) {
  const reply = Object.hasOwn(answers.replies, step) ? answers.replies[step] : exampleReply(endpoint);
  return reply === undefined ? { end: `${endpoint.name} has no example` } : { value: reply };
}

/** The first example, read by its variant's schema, in the form that a call answers. */
export function exampleReply(endpoint: AnyEndpoint): unknown {
  for (const example of endpoint.examples) {
    const name = example.is ?? Object.keys(endpoint.variants)[0] ?? '';
    const read = replyValue(endpoint, name, example.body, example.headers);
    if (read.ok) return read.value;
  }
  return undefined;
}

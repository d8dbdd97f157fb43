import type { AnyEndpoint, Effect, Outcome, StatusReport, Steps, Wire } from '@railyard/core';
import type { Run } from './run.ts';
import { stepKey } from './step-key.ts';
import { turnOf } from './turn.ts';

/** One request of a walk, before it is encoded. */
export interface WalkedRequest {
  readonly step: string;
  readonly endpoint: AnyEndpoint;
  readonly wire: Wire;
}

export interface Walk {
  readonly requests: readonly WalkedRequest[];
  /** Why the walk ended: the flow's outcome, a question to the payer without an answer, an endpoint without an example. */
  readonly end: string;
}

/** What the provider and the payer answer during a preview: by step, in the place of a network and a page. */
export interface PreviewAnswers {
  /** Replies as the flow sees them. */
  readonly replies: Readonly<Record<string, unknown>>;
  readonly turns: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Runs a flow without a network: every call is answered from the endpoint's examples. */
export function walk(run: Run, flow: Steps<Outcome | StatusReport>, answers: PreviewAnswers): Walk {
  const requests: WalkedRequest[] = [];
  const names = new Map<string, number>();
  let next = flow.next();
  while (!next.done) {
    const answer = answerTo(run, next.value, names, answers, requests);
    if ('end' in answer) return { requests, end: answer.end };
    next = flow.next(answer.value);
  }
  return { requests, end: 'status' in next.value ? next.value.status : 'events' };
}

function answerTo(
  run: Run,
  effect: Effect,
  names: Map<string, number>,
  answers: PreviewAnswers,
  requests: WalkedRequest[],
) {
  const name = effect.kind === 'credential' ? effect.endpoint.name : effect.step;
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  const step = count === 1 ? name : `${name}#${count}`;
  if (effect.kind === 'collect' || effect.kind === 'visit') {
    const values = answers.turns[step];
    return values === undefined ? { end: `the payer's turn: ${turnOf(effect, step).step}` } : { value: values };
  }
  const { endpoint, input } = effect;
  requests.push({
    step,
    endpoint,
    wire: endpoint.request(input, { settings: run.settings, key: stepKey(run.id, step) }),
  });
  const reply = Object.hasOwn(answers.replies, step) ? answers.replies[step] : exampleReply(endpoint);
  return reply === undefined ? { end: `${endpoint.name} has no example` } : { value: reply };
}

/** The first example, read by its variant's schema, in the form that a call answers. */
export function exampleReply(endpoint: AnyEndpoint): unknown {
  for (const example of endpoint.examples) {
    const name = example.is ?? Object.keys(endpoint.variants)[0] ?? '';
    const parsed = endpoint.variants[name]?.body.safeParse(example.body);
    if (parsed?.success) return endpoint.plain ? parsed.data : { reply: name, body: parsed.data };
  }
  return undefined;
}

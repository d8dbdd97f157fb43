import {
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  metrics,
  propagation,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { Transport } from '@railyard/runtime';
import type { CallbackSender } from './callbacks/sender.ts';
import { performance } from 'node:perf_hooks';
import type { Context, Next } from 'hono';
import { matchedRoutes } from 'hono/route';
import { remoteOf, type HttpEnv } from './http/basics/answers.ts';
import type { TrustedProxies } from './deployment/addresses.ts';
import type { Log, LogField, LogLine } from './log/log.ts';

const NAME = '@railyard/checkout';
/** Stands where nothing is traced. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Absent without an SDK of the deployment: a dozen spans of a payment that nothing takes would be a hundredth of its processor time. */
function tracerOfDeployment(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider ? provider.getDelegateTracer(NAME) : provider.getTracer(NAME);
}

export interface Work<T> {
  readonly name: string;
  readonly kind?: SpanKind;
  /** Words and numbers; no ids of payers, no addresses, no secrets. */
  readonly attributes?: Attributes;
  /** The context to continue. Default: the current one. */
  readonly parent?: typeof ROOT_CONTEXT;
  readonly run: (span: Span) => Promise<T>;
  /** Called when it ends, in milliseconds. */
  readonly took?: (ms: number, result: T) => void;
}

/** Does something within a span. A thrown error is recorded by its class alone: messages hold values. */
export async function traced<T>({ name, kind, attributes, parent, run, took }: Work<T>): Promise<T> {
  const started = performance.now();
  const tracer = tracerOfDeployment();
  if (tracer === undefined) {
    const result = await (parent === undefined ? run(NO_SPAN) : context.with(parent, () => run(NO_SPAN)));
    took?.(performance.now() - started, result);
    return result;
  }
  const under = parent ?? context.active();
  const options = { kind: kind ?? SpanKind.INTERNAL, ...(attributes && { attributes }) };
  const span = tracer.startSpan(name, options, under);
  try {
    const result = await context.with(trace.setSpan(under, span), () => run(span));
    took?.(performance.now() - started, result);
    return result;
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Work in a trace of its own, separate from its caller's. */
export const tracedAlone = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  traced({ name, parent: ROOT_CONTEXT, run });

type Went = { readonly kind: string; readonly status?: number };

/** A span and a duration for each call of a provider. Of its address only the host is recorded. */
export function tracedTransport(inner: Transport): Transport {
  const duration = durations('railyard.provider.call.duration', 'How long providers take to answer.');
  return {
    send: (request) => outgoing('provider call', request.method, request.url, duration, () => inner.send(request)),
  };
}

/** The same for callbacks. */
export function tracedSender(inner: CallbackSender): CallbackSender {
  const duration = durations('railyard.callback.duration', 'How long merchants take to answer callbacks.');
  return {
    send: (callback) => outgoing('callback', 'POST', callback.url, duration, () => inner.send(callback)),
    close: () => inner.close(),
  };
}

type Durations = ReturnType<typeof durations>;

const durations = (name: string, description: string) =>
  metrics.getMeter('@railyard/checkout').createHistogram(name, { description, unit: 'ms' });

function outgoing<R extends Went>(
  name: string,
  method: string,
  url: string,
  duration: Durations,
  send: () => Promise<R>,
): Promise<R> {
  const place: Attributes = { 'http.request.method': method, 'server.address': hostOf(url) };
  return traced({
    name,
    kind: SpanKind.CLIENT,
    attributes: place,
    run: async (span) => ended(span, await send()),
    took: (ms, { kind, status }) =>
      duration.record(ms, {
        ...place,
        result: kind,
        ...(status !== undefined && { 'http.response.status_code': status }),
      }),
  });
}

function ended<R extends Went>(span: Span, went: R): R {
  span.setAttribute('railyard.result', went.kind);
  if (went.status !== undefined) span.setAttribute('http.response.status_code', went.status);
  if (went.kind !== 'reply') span.setStatus({ code: SpanStatusCode.ERROR });
  return went;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'unknown');

/** The counter of each event, and the fields it is counted by; each has few values. */
const COUNTED: Readonly<
  Record<string, { readonly name: string; readonly description: string; readonly by: readonly LogField[] }>
> = {
  'session-created': { name: 'railyard.sessions', description: 'Sessions created.', by: ['operation', 'test'] },
  payment: { name: 'railyard.payments', description: 'Payments by the state they came to.', by: ['to', 'unknown'] },
  modification: {
    name: 'railyard.modifications',
    description: 'Captures, refunds and voids by the state they came to.',
    by: ['kind', 'to'],
  },
  'provider-call': {
    name: 'railyard.provider.calls',
    description: 'Calls of providers by how they went.',
    by: ['connector', 'endpoint', 'result'],
  },
  'security-code-gone': {
    name: 'railyard.security_codes.gone',
    description: 'Payments of hosted fields that asked for the security code again: the process that held it was gone.',
    by: ['test'],
  },
  'security-code-evicted': {
    name: 'railyard.security_codes.evicted',
    description:
      'Security codes of hosted fields that a process forgot before their payment, because it held too many.',
    by: [],
  },
  callback: { name: 'railyard.callbacks', description: 'Callbacks by how sending went.', by: ['result'] },
  'needs-attention': { name: 'railyard.attention', description: 'What a person should look at.', by: ['finding'] },
};

/** A log whose events are also counted: what happened is said in one place. */
export function countingLog(log: Log): Log {
  const meter = metrics.getMeter('@railyard/checkout');
  const counters = new Map(
    Object.entries(COUNTED).map(([event, { name, description, by }]) => [
      event,
      { counter: meter.createCounter(name, { description }), by },
    ]),
  );
  const count = (line: LogLine): void => {
    const counted = counters.get(line.event);
    counted?.counter.add(1, attributesOf(line, counted.by));
  };
  const counterOf = (level: 'info' | 'warn' | 'error') => (line: LogLine) => {
    count(line);
    log[level](line);
  };
  return {
    info: counterOf('info'),
    warn: counterOf('warn'),
    error: counterOf('error'),
    ...(log.state && { state: log.state }),
  };
}

function attributesOf(line: LogLine, by: readonly LogField[]): Attributes {
  const attributes: Attributes = {};
  for (const name of by) {
    const value = line[name];
    if (typeof value === 'string' || typeof value === 'boolean') attributes[name] = value;
  }
  return attributes;
}

/**
 * A span for each request, named by its route, so that no token and no id is in a name. It goes on with the trace of a trusted
 * proxy; anybody else's header would let strangers write into traces.
 */
export function traceRequests(trusted: TrustedProxies) {
  return (c: Context<HttpEnv>, next: Next): Promise<void> => {
    const remote = remoteOf(c);
    const passedOn = remote !== undefined && trusted(remote);
    return traced({
      name: c.req.method,
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': c.req.method },
      parent: passedOn ? propagation.extract(ROOT_CONTEXT, c.req.header()) : ROOT_CONTEXT,
      async run(span) {
        await next();
        if (!span.isRecording()) return;
        const route = routeOf(c);
        const { status } = c.res;
        span.updateName(`${c.req.method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      },
    });
  };
}

/** The pattern that the path matched: `/auth/:token/pay`. */
function routeOf(c: Context<HttpEnv>): string {
  const patterns = matchedRoutes(c).map(({ path }) => path);
  return patterns.findLast((path) => !path.includes('*')) ?? 'none';
}

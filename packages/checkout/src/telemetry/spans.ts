import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { performance } from 'node:perf_hooks';

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
  /** A context to go on with; else the one that is under way. */
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

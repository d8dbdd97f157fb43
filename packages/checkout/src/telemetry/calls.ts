import { type Attributes, metrics, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Transport } from '@railyard/runtime';
import type { CallbackSender } from '../callbacks/delivery/sender.ts';
import { traced } from './spans.ts';

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

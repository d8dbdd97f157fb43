import { context, metrics, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

const spans = new InMemorySpanExporter();
const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 });
const metering = new MeterProvider({ readers: [reader] });

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
/** Takes the place of the W3C propagator, which is a package of its own. */
const propagator: Parameters<typeof propagation.setGlobalPropagator>[0] = {
  inject: () => undefined,
  fields: () => ['traceparent'],
  extract: (under, carrier: Record<string, string>) =>
    carrier['traceparent'] === undefined
      ? under
      : trace.setSpanContext(under, { traceId: TRACE, spanId: '00f067aa0ba902b7', traceFlags: 1, isRemote: true }),
};

async function serviceWith(trustedProxies: string[]) {
  const provider = await anyMethodProvider();
  const shop = await receiver();
  const given = { providerUrl: provider.url, callbackUrl: shop.url };
  const service = await startOn((port) => ({ ...anyMethodConfig({ ...given, port }), trustedProxies }));
  const stop = async () => {
    await service.stop();
    await shop.close();
    await provider.close();
  };
  return { url: service.url, shop, stop };
}

let service: Awaited<ReturnType<typeof serviceWith>>;
let behindProxy: Awaited<ReturnType<typeof serviceWith>>;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(propagator);
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
  service = await serviceWith([]);
  behindProxy = await serviceWith(['127.0.0.1']);
});

afterAll(async () => {
  await service.stop();
  await behindProxy.stop();
  trace.disable();
  metrics.disable();
  propagation.disable();
  context.disable();
});

beforeEach(() => spans.reset());

const named = (name: string) => spans.getFinishedSpans().filter((span) => span.name === name);
const until = async (name: string): Promise<ReadableSpan> => {
  await expect.poll(() => named(name).length).toBeGreaterThan(0);
  const [span] = named(name);
  if (span === undefined) throw new Error(`There is no span ${name}.`);
  return span;
};

async function payOne() {
  const body = sessionBody({ methods: ['card'], customer: { name: 'Ana Souza', email: 'ana@example.com' } });
  const page = await createPage(service.url, body);
  await pressPay(page, { method: 'card' });
  await service.shop.until(({ fields }) => fields.order_number === body.order.number);
  return { body, token: page.split('/').at(-1) ?? '' };
}

describe('spans', () => {
  test('name requests by their route, the provider’s call within its request, and callbacks by themselves', async () => {
    await payOne();
    const pay = await until('POST /auth/:token/pay');
    expect(pay.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/auth/:token/pay',
      'http.response.status_code': 303,
    });
    const call = await until('provider call');
    expect(call.parentSpanContext?.spanId).toBe(pay.spanContext().spanId);
    expect(call.attributes).toMatchObject({ 'railyard.result': 'reply', 'http.response.status_code': 200 });
    const work = await until('work callbacks');
    expect(work.parentSpanContext).toBeUndefined();
    expect((await until('callback')).parentSpanContext?.spanId).toBe(work.spanContext().spanId);
  });

  test('hold no token, id, name or address of a payer or merchant', async () => {
    const { body, token } = await payOne();
    await until('work callbacks');
    const told = JSON.stringify(
      spans.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events]),
    );
    for (const secret of [token, body.order.number, 'Ana', 'ana@example.com', body.hash, '/callbacks', '/pay"'])
      expect(told.replaceAll('/auth/:token/pay', '')).not.toContain(secret);
  });

  test('of what no route takes have one name, however it is written', async () => {
    for (const path of ['/one', '/two', '/wp-admin/x']) await fetch(service.url + path);
    expect(named('GET none')).toHaveLength(3);
    for (const span of named('GET none')) expect(span.status.code).toBe(SpanStatusCode.UNSET);
  });

  test('go on with the trace of a trusted proxy alone', async () => {
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    await fetch(`${service.url}/health`, { headers });
    expect((await until('GET /health')).spanContext().traceId).not.toBe(TRACE);
    spans.reset();
    await fetch(`${behindProxy.url}/health`, { headers });
    expect((await until('GET /health')).spanContext().traceId).toBe(TRACE);
  });
});

test('sessions, payments, provider calls and callbacks are counted', async () => {
  await payOne();
  await expect
    .poll(async () => {
      await reader.forceFlush();
      const all =
        points
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return new Set(
        all.flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes }) => `${descriptor.name} ${JSON.stringify(attributes)}`),
        ),
      );
    })
    .toEqual(
      expect.toSatisfy(
        (seen: Set<string>) =>
          [
            'railyard.sessions {"operation":"purchase","test":false}',
            'railyard.payments {"to":"settled","unknown":false}',
            'railyard.provider.calls {"connector":"any-method","endpoint":"pay","result":"known"}',
            'railyard.callbacks {"result":"delivered"}',
          ].every((each) => seen.has(each)) &&
          [...seen].some((each) => each.startsWith('railyard.provider.call.duration ')) &&
          [...seen].some((each) => each.startsWith('railyard.callback.duration ')),
      ),
    );
});

import { context, createContextKey, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import { traced } from '../../src/telemetry.ts';

const KEY = createContextKey('test');

afterEach(() => trace.disable());

test('without an SDK work is done in the context that it has, with a span that records nothing, and is timed', async () => {
  const took: [number, string][] = [];
  const before = context.active();
  const done = await traced({
    name: 'work',
    run: async (span) => `${span.isRecording()} ${context.active() === before}`,
    took: (ms, result) => took.push([ms, result]),
  });
  expect(done).toBe('false true');
  expect(took).toEqual([[expect.any(Number), 'false true']]);
});

test('without an SDK an error of the work passes', async () => {
  const work = traced({ name: 'work', run: () => Promise.reject(new Error('no')) });
  await expect(work).rejects.toThrow('no');
});

test('an SDK that is set up later gets the spans of the work that begins then', async () => {
  await traced({ name: 'before', run: () => Promise.resolve() });
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  await traced({ name: 'after', run: () => Promise.resolve() });
  expect(spans.getFinishedSpans().map(({ name }) => name)).toEqual(['after']);
});

test('without an SDK for traces, work of a given context is done in it', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const given = ROOT_CONTEXT.setValue(KEY, 'of a proxy');
  const found = await traced({ name: 'work', parent: given, run: async () => context.active().getValue(KEY) });
  context.disable();
  expect(found).toBe('of a proxy');
});

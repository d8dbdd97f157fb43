import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineConnector, providerApi, money, pending, type ProviderEvent, statusTable } from '../src/index.ts';
import { eventKey } from '../src/driver.ts';
import { oneOrMany } from '../src/formats.ts';

describe('events are distinguished', () => {
  const deposit: ProviderEvent = {
    kind: 'deposit',
    id: 't:0',
    providerReference: 'a',
    amount: money('1.00', 'USD'),
    confirmed: false,
  };

  test('a deposit unconfirmed, confirmed and rejected are three events', () => {
    const stages = [deposit, { ...deposit, confirmed: true }, { ...deposit, rejected: true } as const];
    expect(new Set(stages.map(eventKey)).size).toBe(3);
    expect(eventKey(deposit)).not.toBe(eventKey({ ...deposit, confirmed: true }));
    expect(eventKey(deposit)).toBe(eventKey({ ...deposit, amount: money('2.00', 'USD') }));
  });

  test('the same id of another kind is another event', () => {
    const payment: ProviderEvent = { kind: 'payment', id: 't:0', providerReference: 'a', outcome: pending('a') };
    expect(eventKey(payment)).not.toBe(eventKey({ ...deposit, confirmed: true }));
  });
});

describe('elements of XML that may repeat', () => {
  const schema = z.object({ item: oneOrMany(z.object({ id: z.string() })) });

  test.each([
    [{}, []],
    [{ item: '' }, []],
    [{ item: { id: '1' } }, [{ id: '1' }]],
    [{ item: [{ id: '1' }, { id: '2' }] }, [{ id: '1' }, { id: '2' }]],
  ])('%j are a list', (input, items) => {
    expect(schema.parse(input)).toEqual({ item: items });
  });

  test('of the wrong form are refused with their place', () => {
    expect(schema.safeParse({ item: [{ id: '1' }, {}] }).error?.issues[0]?.path).toEqual(['item', 1, 'id']);
  });
});

test('a request is found only by an endpoint that changes nothing', () => {
  const settings = z.object({});
  const { endpoint } = providerApi(settings, { source: 'a test' });
  const reply = z.object({ id: z.string() });
  const find = endpoint({ name: 'find', path: '/', repeat: 'keyed', request: () => ({}), reply });
  const pay = endpoint({
    name: 'pay',
    path: '/',
    repeat: 'by-reference',
    request: (id: string) => ({ query: { id } }),
    find: { endpoint: find, input: () => undefined, read: (found) => ({ found }) },
    reply,
  });
  const define = () =>
    defineConnector({
      id: 'sample',
      contract: 1,
      version: '1.0.0',
      title: 'Sample',
      settings,
      baseUrl: () => 'https://api.example',
      endpoints: [find, pay],
      statuses: statusTable({}),
      serves: () => [],
    });
  expect(define).toThrow('"pay" is found by "find", which must be declared safe');
});

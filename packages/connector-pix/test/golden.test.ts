import { describe, expect, it } from 'vitest';
import { bcbConnector, collectionConnector, instantConnector, payerIdConnector } from '../src/index.ts';
import { bcbSimulation, collectionSimulation, instantSimulation, payerIdSimulation } from '../src/simulation.ts';

const adapters = [
  { connector: bcbConnector, simulation: bcbSimulation },
  { connector: instantConnector, simulation: instantSimulation },
  { connector: collectionConnector, simulation: collectionSimulation },
  { connector: payerIdConnector, simulation: payerIdSimulation },
];

describe.each(adapters)('$connector.id', ({ connector, simulation }) => {
  it.each(connector.endpoints)(
    '$name: every example is a reply that the endpoint reads, with its source',
    ({ examples, variants }) => {
      expect(examples.length).toBeGreaterThan(0);
      for (const { is = 'ok', body, source } of examples) {
        expect(source).toMatch(/README\.md|^https:/);
        // JSON numbers with decimals reach the schema as text.
        const read = variants[is]?.body.safeParse(exact(body));
        expect(read).toMatchObject({ success: true });
      }
    },
  );

  it('has an example for each reply of its money-moving endpoints', () => {
    for (const { repeat, variants, examples } of connector.endpoints)
      if (repeat !== 'safe')
        for (const name of Object.keys(variants).filter((each) => each !== 'absent'))
          expect(examples.map((each) => each.is)).toContain(name);
  });

  it('reads its own example of a notification', () => {
    for (const { body } of connector.notifications?.examples ?? [])
      expect(connector.notifications?.body.safeParse(exact(body))).toMatchObject({ success: true });
  });

  it('simulates every endpoint, in words that its status table knows as such', () => {
    expect(Object.keys(simulation.endpoints).toSorted()).toEqual(
      connector.endpoints.map(({ name }) => name).toSorted(),
    );
    const { settled, pending, declined } = simulation.words;
    expect(connector.statuses.rows[settled]).toBe('settled');
    expect(connector.statuses.rows[pending]).toBe('pending');
    expect(connector.statuses.rows[declined]).toHaveProperty('declined');
  });
});

function exact(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((each: unknown) => exact(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exact(each)]));
}

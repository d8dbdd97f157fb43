import { describe, expect, it } from 'vitest';
import { acquirerConnector as connector } from '../src/index.ts';
import { acquirerSimulation as simulation } from '../src/simulation.ts';

describe('the examples of the acquirer', () => {
  it.each(connector.endpoints)(
    '$name: every example is a reply that the endpoint reads, with its source',
    ({ examples, variants }) => {
      expect(examples.length).toBeGreaterThan(0);
      for (const { is = 'ok', body, source } of examples) {
        expect(source).toContain('README.md');
        expect(variants[is]?.body.safeParse(body)).toMatchObject({ success: true });
      }
    },
  );

  it('are there for each reply of the endpoints that move money', () => {
    for (const { repeat, variants, examples, name } of connector.endpoints)
      if (repeat !== 'safe')
        for (const reply of Object.keys(variants))
          expect(
            examples.map((each) => each.is),
            name,
          ).toContain(reply);
  });

  it('of notifications are read', () => {
    for (const { body } of connector.notifications?.examples ?? [])
      expect(connector.notifications?.body.safeParse(body)).toMatchObject({ success: true });
  });

  it('are simulated for every endpoint, in words that the status table knows as such', () => {
    expect(Object.keys(simulation.endpoints).toSorted()).toEqual(
      connector.endpoints.map(({ name }) => name).toSorted(),
    );
    const { settled, pending, declined, authorized = '', challenged = '', authenticated = '' } = simulation.words;
    const { rows } = connector.statuses;
    expect([rows[settled], rows[authorized], rows[pending], rows[challenged], rows[authenticated]]).toEqual([
      'settled',
      'authorized',
      'pending',
      'pending',
      'pending',
    ]);
    expect(rows[declined]).toHaveProperty('declined');
  });
});

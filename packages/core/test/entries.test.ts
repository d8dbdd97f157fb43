import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

const at = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const manifest = z.object({ exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])) });

/** Entry → the names that its source lists, types included. */
const entries = new Map(
  Object.entries(manifest.parse(JSON.parse(at('package.json'))).exports).flatMap(([entry, target]) => {
    const source = typeof target === 'string' ? undefined : target['@railyard/source'];
    return source === undefined ? [] : [[entry, namesOf(at(source))] as const];
  }),
);

function namesOf(source: string): string[] {
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list = '']) => list);
  const declared = [...source.matchAll(/export (?:const|function|class|interface|type) (\w+)/g)].map(
    ([, name = '']) => name,
  );
  const listed = lists.flatMap((list) => list.split(',')).map((name) => name.trim().replace(/^type /, ''));
  return [...declared, ...listed].filter((name) => name !== '');
}

test('each entry serves one reader', () => {
  expect([...entries.keys()].toSorted()).toEqual([
    '.',
    ...[
      'countries',
      'driver',
      'formats',
      'markdown',
      'merchant',
      'payer',
      'payment',
      'proofs',
      'protocol',
      'registry',
      'simulation',
    ].map((name) => `./${name}`),
  ]);
  for (const [entry, names] of entries) {
    expect(names.length, entry).toBeGreaterThan(2);
  }
});

test('a name has one entry; what merchants sign with stands at theirs too', () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const [entry, names] of entries)
    for (const name of names) {
      const first = seen.get(name);
      if (first !== undefined) twice.push(`${name}: ${first} ${entry}`);
      seen.set(name, entry);
    }
  expect(twice.filter((line) => !line.includes('./merchant'))).toEqual([]);
});

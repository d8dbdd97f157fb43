import { readFileSync } from 'node:fs';
import { type Facts, wordsIn } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import { bcbConnector } from '../src/index.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/bcb-pix.json', import.meta.url), 'utf8'));

test('the status table of the API Pix has every word of its charges and returns', () => {
  expect(new Set(Object.keys(bcbConnector.statuses.rows))).toEqual(
    new Set([...wordsIn(facts, 'CobrancaStatus'), ...wordsIn(facts, 'Devolucao/properties/status')]),
  );
});

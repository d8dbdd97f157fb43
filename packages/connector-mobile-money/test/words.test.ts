import { readFileSync } from 'node:fs';
import { type Facts, wordsIn } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import { reasons } from '../src/gsma.ts';
import { gsmaConnector } from '../src/index.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/gsma-merchant-payments.json', import.meta.url), 'utf8'));

test('the status table of the GSMA API has every status of a request, and each reason is an error code', () => {
  const codes = wordsIn(facts, 'errorObject/properties/errorCode');
  expect(new Set(Object.keys(gsmaConnector.statuses.rows))).toEqual(
    new Set(wordsIn(facts, 'requestStateObject/properties/status')),
  );
  expect([...reasons.keys()].filter((code) => !codes.includes(code))).toEqual([]);
});

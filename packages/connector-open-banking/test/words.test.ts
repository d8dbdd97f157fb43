import { readFileSync } from 'node:fs';
import { type Facts, wordsIn } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import { obUkConnector } from '../src/index.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/ob-uk.json', import.meta.url), 'utf8'));

test('the status table of Open Banking UK has every status of its consents and payments', () => {
  // ISO 20022 has it, for banks that follow another standard.
  const iso = ['CANC'];
  expect(new Set(Object.keys(obUkConnector.statuses.rows))).toEqual(
    new Set([
      ...wordsIn(facts, 'OBWriteDomesticConsentResponse5/properties/Data/properties/Status'),
      ...wordsIn(facts, 'OBWriteDomesticResponse5/properties/Data/properties/Status'),
      ...iso,
    ]),
  );
});

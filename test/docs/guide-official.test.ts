import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { randomUUID } from 'node:crypto';
import { checkAgainst, type Facts } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { stepsOfGuide } from './guide.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/paystack.json', import.meta.url), 'utf8'));
const MOST_LINES = 150;

function fileOfGuide(name: string): string {
  const step = stepsOfGuide().find((each) => each.does === 'write' && each.file === name);
  if (step?.does !== 'write') throw new Error(`The guide writes no ${name}.`);
  return step.text;
}

const goldens = z.array(
  z.object({
    endpoint: z.string(),
    request: z.object({
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown().optional(),
    }),
  }),
);

/** The exchanges of the guide's connector. The kit compares its requests with them when the guide is followed (release/install). */
async function requestsOfGuide() {
  const code = stripTypeScriptTypes(fileOfGuide('test/goldens.ts').replaceAll('{reference}', randomUUID()));
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return z
    .object({ goldens })
    .parse(loaded)
    .goldens.map(({ request }) => request);
}

test('the requests of the guide are what the official description of its provider says', async () => {
  const requests = await requestsOfGuide();
  expect(requests.length).toBeGreaterThanOrEqual(4);
  expect(requests.flatMap((request) => checkAgainst(facts).request(request))).toEqual([]);
});

test('a request with an amount as text, or with a field of another name, is refused by that description', async () => {
  const [charge] = await requestsOfGuide();
  if (charge === undefined) throw new Error('The guide has no exchanges.');
  const body = { ...z.record(z.string(), z.unknown()).parse(charge.body), amount: '2500', phone: '0553241149' };
  const offences = checkAgainst(facts).request({ ...charge, body });
  expect(offences).toEqual([
    expect.stringMatching(/amount: must be integer/),
    expect.stringMatching(/unevaluated properties \(phone\)/),
  ]);
});

test('the facts name the one defect of the description', () => {
  expect(facts.corrections.map(({ at }) => at)).toEqual(['#/components/schemas/ChargeCreate/properties/currency']);
});

test(`the connector of the guide has at most ${MOST_LINES} lines`, () => {
  expect(fileOfGuide('src/paystack.ts').trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAgainst, type Facts } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { runInPipe } from '../../packages/cli/test/support/memory-io.ts';
import { stepsOfGuide } from './guide.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/paystack.json', import.meta.url), 'utf8'));
const MOST_LINES = 150;

/** As its provider publishes it: what was corrected is not there. */
const uncorrected = JSON.stringify({
  ...facts,
  schemas: {
    ...facts.schemas,
    ChargeCreate: JSON.parse(
      JSON.stringify(facts.schemas['ChargeCreate'], (name, value) => (name === 'currency' ? undefined : value)),
    ),
  },
});

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

test('the command of the guide imports its calls, and asks what the guide shows', async () => {
  const steps = stepsOfGuide();
  const at = steps.findIndex(
    (step) => step.does === 'run' && step.command[1] === 'railyard' && step.command[2] === 'import',
  );
  const [run, shown] = steps.slice(at);
  if (run?.does !== 'run' || shown?.does !== 'read')
    throw new Error('The guide imports nothing, or shows no question.');
  const cwd = mkdtempSync(join(tmpdir(), 'railyard-guide-import-'));
  writeFileSync(join(cwd, 'paystack.json'), uncorrected);
  const { code, said, complained } = await runInPipe(run.command.slice(2), { cwd });
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  expect(said).toContain(`\n${shown.text}\n`);
  const written = readFileSync(join(cwd, 'draft/paystack-endpoints.ts'), 'utf8');
  rmSync(cwd, { recursive: true });
  for (const call of run.command.filter((word) => word.includes(' /'))) expect(written).toContain(`/** ${call} */`);
  expect(written).toContain('undecided(');
  expect(uncorrected).not.toContain(JSON.stringify(facts.schemas['ChargeCreate']));
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

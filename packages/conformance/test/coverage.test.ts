import {
  collect,
  declined,
  defineConnector,
  defineMethod,
  type Outcome,
  pending,
  type Steps,
  statusTable,
} from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { countParts } from '../src/coverage.ts';
import { coverageChecks } from '../src/checks/coverage.ts';
import { runCheck } from '../src/run-checks.ts';
import { type Subject, subjectOf } from '../src/subject.ts';

const method = defineMethod({
  key: 'two-ways',
  title: 'Two ways',
  operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
});

// Its flow stands in this file, so that it is this file whose branches are counted.
function* twoWays(): Steps<Outcome> {
  const { note } = yield* collect({ step: 'note', fields: z.object({ note: z.string() }) });
  if (note === 'bad') return declined('hard', 'not_supported');
  return pending(note);
}

function play(note: string): void {
  const steps = twoWays();
  steps.next();
  steps.next({ note });
}

function* oneWay(): Steps<Outcome> {
  const { note } = yield* collect({ step: 'note', fields: z.object({ note: z.string() }) });
  return note === 'bad' ? declined('hard', 'not_supported') : pending(note);
}

function* threeWays(): Steps<Outcome> {
  const { note } = yield* collect({ step: 'note', fields: z.object({ note: z.string() }) });
  if (note === 'bad') return declined('hard', 'not_supported');
  if (note === 'worse') return declined('hard', 'cancelled');
  return pending(note);
}

const connectorOf = (purchase: () => Steps<Outcome>) =>
  defineConnector({
    id: 'two-ways',
    contract: 1,
    version: '1.0.0',
    title: 'Two ways',
    settings: z.object({ base_url: z.url() }),
    endpoints: [],
    statuses: statusTable({}),
    serves: (serve) => [serve(method, { purchase })],
  });

test('a branch is listed with its beginning until something has led into it', () => {
  const before = countParts(connectorOf(twoWays));
  play('good');
  expect(before.unreached()).toEqual([{ inside: 'twoWays', code: 'return declined("hard", "not_supported");' }]);
});

test('a flow that ran earlier in the process is counted anew', () => {
  play('good');
  play('bad');
  const late = countParts(connectorOf(twoWays));
  play('good');
  expect(late.unreached()).toEqual([{ inside: 'twoWays', code: 'return declined("hard", "not_supported");' }]);
});

const resultOf = async (subject: Subject) => {
  const results = await Promise.all(coverageChecks.map((check) => runCheck(subject, 'coverage', check)));
  return results[0];
};
const settings = { base_url: 'https://api.example' };

test('a connector with a branch that no check reaches is not excellent', async () => {
  const subject = subjectOf(connectorOf(oneWay), { settings, coverage: true });
  const steps = oneWay();
  steps.next();
  steps.next({ note: 'good' });
  expect(await resultOf(subject)).toMatchObject({
    status: 'failed',
    why: expect.stringMatching(/^coverage\.oneWay: No check leads here: \? declined\("hard", "not_supported"\)/),
  });
});

const exceptIn = async (except: Readonly<Record<string, string>>, note: string) => {
  const subject = subjectOf(connectorOf(twoWays), { settings, coverage: { except } });
  play(note);
  return resultOf(subject);
};
const BRANCH = 'return declined("hard"';

test('a branch that is excepted with its reason is no finding', async () => {
  const { why } = (await exceptIn({ [BRANCH]: 'No payer writes it.' }, 'good')) ?? {};
  expect(why).not.toMatch(/twoWays|except/);
});

test('an exception that a check has reached is a finding', async () => {
  expect(await exceptIn({ [BRANCH]: 'No payer writes it.' }, 'bad')).toMatchObject({
    status: 'failed',
    why: expect.stringMatching(/coverage\.except: A check leads to "return declined\("hard""/),
  });
});

test.each([
  ['without a beginning', { '': 'No payer writes it.' }, 'lacks the beginning'],
  ['without a reason', { [BRANCH]: ' ' }, 'lacks the beginning'],
  ['that begins several branches', { 'return declined': 'No payer writes it.' }, 'Give more of the one that is meant'],
])('an exception %s is a finding', async (_name, except, why) => {
  const subject = subjectOf(connectorOf(threeWays), { settings, coverage: { except } });
  const steps = threeWays();
  steps.next();
  steps.next({ note: 'good' });
  expect(await resultOf(subject)).toMatchObject({ status: 'failed', why: expect.stringContaining(why) });
});

test('without the option no branch is counted', async () => {
  expect(await resultOf(subjectOf(connectorOf(oneWay), { settings }))).toMatchObject({
    status: 'skipped',
    applicable: false,
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { type Broken, tally, type Seen, type Tally } from './tally.ts';

/**
 * Fails a run that skips a test without a declared reason, lists the tests that did not run, and closes with the
 * counts on a line of their own. Under `npm test` the counts go to the file named by RAILYARD_TEST_REPORT instead.
 */
export default class Closing implements Reporter {
  #filtered = false;

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const broken = modules.flatMap(brokenOf);
    const counted = tally(modules.flatMap(testsOf), broken, this.#filtered);
    const problems = [...counted.problems, ...errors.map((error) => `error outside of a test: ${error.message}`)];
    if (problems.length > 0) process.exitCode = 1;
    publish({ ...counted, problems });
  }
}

/** Files that did not load, and files and groups whose preparation or end failed. */
function brokenOf(module: TestModule): Broken[] {
  const file = { name: module.relativeModuleId, errors: module.errors() };
  const groups = [...module.children.allSuites()].map((suite) => ({
    name: `${file.name} > ${suite.fullName}`,
    errors: suite.errors(),
  }));
  return [file, ...groups]
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors }) => ({ name, said: errors.map(inShort).join('; ') }));
}

function testsOf(module: TestModule): Seen[] {
  return [...module.children.allTests()].map((test) => {
    const result = test.result();
    const note = result.state === 'skipped' ? result.note : undefined;
    const said = result.state === 'failed' ? result.errors.map(inShort).join('; ') : undefined;
    return { title: `${module.relativeModuleId} > ${test.fullName}`, state: result.state, note, said };
  });
}

/** The first lines of an error, and the places it names. */
function inShort(error: SerializedError): string {
  const lines = [
    ...error.message.split('\n').slice(0, 12),
    ...(error.stack ?? '').split('\n').filter(isFrame).slice(0, 4),
  ];
  return lines.map((line) => `\n       ${line.trim().slice(0, 300)}`).join('');
}

/** Of the project itself: the frames of the test runner tell nothing. */
function isFrame(line: string): boolean {
  return /^\s+at /.test(line) && !line.includes('/node_modules/');
}

function publish(counted: Tally): void {
  const file = process.env['RAILYARD_TEST_REPORT'];
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(counted));
    return;
  }
  const skipped = counted.skipped > 0 ? `, ${counted.skipped} skipped` : '';
  const lines = [
    ...counted.problems.map((problem) => `FAIL ${problem}`),
    ...counted.red.map(({ title, said }) => `FAIL ${title}:${said}`),
    ...counted.notRun.map(({ title, reason }) => `NOT RUN: ${title}: ${reason}`),
    `${counted.passed} passed, ${counted.failed} failed${skipped}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

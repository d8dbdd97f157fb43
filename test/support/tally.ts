import { DOES_NOT_APPLY, NOT_RUN } from './tool.ts';

/** One test as the runner saw it. `note` is what a skip said. */
export interface Seen {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly note?: string | undefined;
  /** What a failed test said first, and where. */
  readonly said?: string | undefined;
}

/** A file or group that could not begin or end. */
export interface Broken {
  readonly name: string;
  /** What its error said first, and where. */
  readonly said: string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly notRun: readonly { readonly title: string; readonly reason: string }[];
  /** The failed tests by name: the end of a long log is all that some readers get to see. */
  readonly red: readonly { readonly title: string; readonly said: string }[];
  /** What makes a run red although no test failed. */
  readonly problems: readonly string[];
}

/** @param filtered a name filter was given, so that tests are left out on purpose */
export function tally(seen: readonly Seen[], broken: readonly Broken[], filtered: boolean): Tally {
  const skipped = seen.filter((test) => test.state === 'skipped');
  const declared = skipped.filter((test) => test.note?.startsWith(NOT_RUN) === true);
  // The tests of a group that could not begin are skipped too; the group is already counted as failed.
  const lost = (test: Seen): boolean => broken.some(({ name }) => test.title.startsWith(`${name} > `));
  const applies = (test: Seen): boolean => test.note?.startsWith(DOES_NOT_APPLY) !== true;
  const silent = filtered ? [] : skipped.filter((test) => applies(test) && !declared.includes(test) && !lost(test));
  const unfinished = seen.filter((test) => test.state === 'pending');
  return {
    passed: seen.filter((test) => test.state === 'passed').length,
    failed: seen.filter((test) => test.state === 'failed').length + broken.length,
    skipped: skipped.length,
    notRun: declared.map((test) => ({ title: test.title, reason: (test.note ?? '').slice(NOT_RUN.length) })),
    red: seen.filter((test) => test.state === 'failed').map((test) => ({ title: test.title, said: test.said ?? '' })),
    problems: [
      ...broken.map(({ name, said }) => `could not begin or end: ${name}:${said}`),
      ...silent.map((test) => `skipped without a declared reason: ${test.title}`),
      ...unfinished.map((test) => `never finished: ${test.title}`),
    ],
  };
}

/**
 * The end of a test run: a table of the stages, the tests that did not run and why, and the closing line.
 * A failed stage counts as one failure, so that the closing line never looks green over a red run.
 */
export function closing({ stages, tests, requireAll }) {
  const counted = tests ?? {
    passed: 0,
    failed: 0,
    skipped: 0,
    notRun: [],
    red: [],
    problems: ['the test runner ended early'],
  };
  const broken = stages.filter((stage) => !stage.ok && (stage.name !== 'tests' || counted.failed === 0));
  const seen = counted.passed + counted.failed + counted.problems.length + counted.notRun.length;
  const idle = stages.at(-1)?.ok && seen === 0;
  const failed = counted.failed + broken.length + (stages.at(-1)?.ok ? counted.problems.length : 0) + (idle ? 1 : 0);
  const refused = requireAll && counted.notRun.length > 0;
  const lines = stages.map((stage) => `${stage.ok ? 'ok  ' : 'FAIL'} ${stage.name} (${stage.seconds.toFixed(1)} s)`);
  if (idle) lines.push('FAIL no test ran');
  for (const problem of counted.problems) lines.push(`FAIL ${problem}`);
  for (const { title, said } of counted.red) lines.push(`FAIL ${title}:${said}`);
  for (const { title, reason } of counted.notRun) lines.push(`NOT RUN: ${title}: ${reason}`);
  if (refused) lines.push('FAIL every test must run here; install the tools named above');
  const skipped = counted.skipped > 0 ? `, ${counted.skipped} skipped` : '';
  lines.push(`${counted.passed} passed, ${failed} failed${skipped}`);
  return { ok: failed === 0 && !refused, lines };
}

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS } from './checks.mjs';
import { install } from './install.mjs';
import { LONG, WITHOUT_LONG } from './long-tests.mjs';
import { main, say } from './print.mjs';
import { childEnv, pnpm, root } from './run.mjs';
import { closing } from './summary.mjs';
import { ensureToolchain } from './toolchain.mjs';

const report = join(root, '.railyard', 'test-report.json');

const STATIC_AND_BUILD = [
  ...CHECKS,
  { name: 'build', command: ['turbo', 'run', 'build', '--continue', '--output-logs=errors-only'] },
];

await main(async (args) => {
  rmSync(report, { force: true });
  const toolchain = await ensureToolchain();
  await install(toolchain);
  const stages = args.length > 0 ? [vitest(args)] : [...STATIC_AND_BUILD, vitest([], WITHOUT_LONG)];
  const results = [];
  for (const stage of stages) {
    say(stage.name);
    const started = Date.now();
    const code = await pnpm(toolchain, ['exec', ...stage.command], { env: childEnv(toolchain, stage.env) });
    results.push({ name: stage.name, ok: code === 0, seconds: (Date.now() - started) / 1000 });
  }
  const end = closing({ stages: results, tests: readReport(), requireAll: requireAll() });
  const left = args.length > 0 ? [] : [`LEFT TO npm run test:long: ${LONG.length} test files that take long`];
  process.stdout.write(`\n${[...left, ...end.lines].join('\n')}\n`);
  return end.ok ? 0 : 1;
});

function vitest(args, leftOut = {}) {
  // The tests start hundreds of processes, which compile the same files.
  const env = {
    RAILYARD_TEST_REPORT: report,
    NODE_COMPILE_CACHE: join(root, '.railyard', 'compile-cache'),
    ...leftOut,
  };
  return { name: 'tests', command: ['vitest', 'run', ...args], env };
}

/** The reporter's counts. Absent when the runner died before it wrote them. */
function readReport() {
  if (!existsSync(report)) return undefined;
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** On a machine that can install tools, a test that did not run is a failure. */
function requireAll() {
  return process.env.RAILYARD_REQUIRE_ALL === '1' || process.env.CI === 'true';
}

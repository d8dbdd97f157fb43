// The inner loop: static checks, every unit test that a change can have broken, and the service tests nearest to the change.
// Usage: npm run test:quick [-- commit to compare with]
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS } from './checks.mjs';
import { install } from './install.mjs';
import { main, Refusal, say } from './print.mjs';
import { capture, childEnv, pnpm, root } from './run.mjs';
import { closing } from './summary.mjs';
import { ensureToolchain } from './toolchain.mjs';

const report = join(root, '.railyard', 'quick-report.json');
const UNIT = ['turbo', 'run', 'test', '--continue', '--concurrency=2', '--output-logs=errors-only'];
/** From so many packages on, one start of the runner for all unit tests is faster than one for each package. */
const MANY_PACKAGES = 5;

await main(async (args) => {
  rmSync(report, { force: true });
  const toolchain = await ensureToolchain();
  await install(toolchain);
  const chosen = await choose(toolchain, args);
  const env = { RAILYARD_TEST_REPORT: report, NODE_COMPILE_CACHE: join(root, '.railyard', 'compile-cache') };
  const before = await unitResults(toolchain);
  const together = before.filter(({ isKept }) => !isKept).length >= MANY_PACKAGES;
  const files = [...(together ? chosen.unit : []), ...chosen.gates, ...chosen.service];
  const tests = { name: 'tests', command: ['vitest', 'run', '--project', '!checkout-server-*', ...files], env };
  const unit = together ? [] : [{ name: 'unit', command: UNIT }];
  const stages = [...CHECKS, ...unit, tests];
  const results = [];
  for (const stage of stages) {
    say(stage.name);
    const started = Date.now();
    const code = await pnpm(toolchain, ['exec', ...stage.command], { env: childEnv(toolchain, stage.env) });
    results.push({ name: stage.name, ok: code === 0, seconds: (Date.now() - started) / 1000 });
  }
  if (together && results.every(({ ok }) => ok)) await keepResults(toolchain, before);
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  const end = closing({ stages: results, tests: counts, requireAll: false });
  process.stdout.write(`\n${[...leftOut(chosen), ...end.lines].join('\n')}\n`);
  return end.ok ? 0 : 1;
});

/** Each package's unit tests by the hash of what they read, and whether their result for it is kept. */
async function unitResults(toolchain) {
  const { code, output } = await capture(toolchain.node, [toolchain.pnpm, 'exec', ...UNIT, '--dry-run=json'], {
    env: childEnv(toolchain),
  });
  if (code !== 0) throw new Refusal(`The kept results cannot be read:\n${output}`, 'Run `npm run build` and see why.');
  const { tasks } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  return tasks
    .filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>')
    .map(({ taskId, hash, cache }) => ({ id: `${taskId} ${hash}`, isKept: cache.status === 'HIT' }));
}

/** They were green in one runner: turbo keeps that, unless what they read was changed meanwhile. */
async function keepResults(toolchain, before) {
  const now = new Set((await unitResults(toolchain)).map(({ id }) => id));
  if (!before.every(({ id }) => now.has(id))) return;
  await pnpm(toolchain, ['exec', ...UNIT], { env: childEnv(toolchain, { RAILYARD_UNIT_GREEN: '1' }) });
}

async function choose(toolchain, args) {
  const { code, output } = await capture(toolchain.node, [join(root, 'tools/tests/choose.ts'), ...args], {
    env: childEnv(toolchain),
  });
  if (code !== 0)
    throw new Refusal(`The tests could not be chosen:\n${output}`, 'Name a commit that is in this clone.');
  return JSON.parse(output);
}

/** What this run says nothing about. */
function leftOut({ changed, service, left, unreached }) {
  return [
    `${changed} changed files, ${service.length} service test files run`,
    ...(left.service.length > 0 ? [`LEFT TO npm test: ${left.service.length} service test files farther away`] : []),
    ...(left.slow.length > 0 ? [`LEFT TO npm test: ${left.slow.length} slow test files`] : []),
    ...unreached.map((path) => `LEFT TO npm test: ${path}, which no test imports or names`),
  ];
}

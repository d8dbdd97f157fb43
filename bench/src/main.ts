import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isAbove } from './benchmark.ts';
import { benchmarks } from './benchmarks/index.ts';
import { type Ran, reportOf } from './report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
});
const unknown = positionals.filter((name) => !benchmarks.some((each) => each.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}. There are: ${benchmarks.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}
const wanted = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const ran: Ran[] = [];
for (const benchmark of wanted) {
  process.stderr.write(`${benchmark.name} …\n`);
  ran.push({ benchmark, result: await benchmark.run(values.quick) });
}
const report = reportOf(ran, values.quick);
process.stdout.write(report);
for (const { benchmark, result } of ran)
  for (const row of result.rows.filter(isAbove)) {
    process.stderr.write(
      `${benchmark.name}: ${row.what} is ${row.value.low}, above its bound of ${row.bound}. Find what has grown, or raise the bound with a reason.\n`,
    );
    process.exitCode = 1;
  }
// A part of the benchmarks, or a quick run, does not take the place of the whole report.
const whole = positionals.length === 0 && !values.quick;
const out = values.out ?? (whole ? new URL('../../docs/benchmarks.md', import.meta.url) : undefined);
if (out !== undefined) writeFileSync(out, report);

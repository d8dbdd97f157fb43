import type { Trace } from './record.ts';

const SOURCES = '../packages/checkout/src/';

/** How a trace went: the files that it entered, in the order of their first entry, the calls, and the moves from one file to another. */
export function countsOf({ entered }: Pick<Trace, 'entered'>) {
  const moves = entered.filter((path, index) => index > 0 && path !== entered[index - 1]).length;
  return { files: [...new Set(entered)], calls: entered.length, moves };
}

/** The page that shows the flows as they ran. */
export function flowsPage(traces: readonly Trace[]): string {
  const counted = traces.map((trace) => ({ name: trace.name, ...countsOf(trace) }));
  return `# How a payment runs

\`npm run trace\` runs a real service and follows five requests through \`packages/checkout/src\`: each function reports its entry until the request and its work have ended. The script writes this page. To follow a payment, read the files of its list in their order. The service reads, writes and calls; core decides. Why a payment changes, and the words of its callbacks, are in \`packages/core/src/payment\`: \`decide.ts\`, \`decide-modification.ts\`, \`modifications.ts\` and \`callback.ts\`.

| flow | files | functions entered | moves between files |
|---|---|---|---|
${counted.map(({ name, files, calls, moves }) => `| ${name} | ${files.length} | ${calls} | ${moves} |`).join('\n')}
${counted.map(({ name, files }) => `\n## ${name}\n\n${files.map((path, index) => `${index + 1}. [\`${path}\`](${SOURCES}${path})`).join('\n')}\n`).join('')}`;
}

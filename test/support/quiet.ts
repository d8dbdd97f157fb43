import { afterEach } from 'vitest';

const METHODS = ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const;
const said: string[] = [];

// A line on the console is where card data leaks first, and what a passing test says there nobody reads.
for (const method of METHODS) {
  console[method] = (...words: unknown[]): never => {
    said.push(`console.${method}(${words.map(String).join(', ')})`);
    throw new Error(`A test must not write to the console: ${said.at(-1)}`);
  };
}

// The code under test may catch the error above, so the end of the test looks again.
afterEach(() => {
  const lines = said.splice(0);
  if (lines.length > 0) throw new Error(`A test must not write to the console: ${lines.join('; ')}`);
});

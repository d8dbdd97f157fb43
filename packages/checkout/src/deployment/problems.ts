import type * as z from 'zod';

/** A configuration that cannot be run; the message lists every problem with its path. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((each) => `  - ${each}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Each problem with its path. What is missing is often a secret whose environment variable is not set. */
export function problemsOf(error: z.ZodError, prefix = ''): string[] {
  return error.issues.map(({ path, message }) => {
    const missing = message.endsWith('received undefined');
    return `${prefix}${path.join('.')}: ${missing ? 'is missing (is the environment variable set?).' : message}`;
  });
}

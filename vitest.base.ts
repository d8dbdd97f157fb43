import { defineProject } from 'vitest/config';

/** Tests read the sources of the workspace, so that no build stands between an edit and its test. */
export function project(name: string) {
  return defineProject({
    resolve: { conditions: ['@railyard/source'] },
    ssr: { resolve: { conditions: ['@railyard/source'], externalConditions: ['@railyard/source'] } },
    test: { name, include: ['src/**/*.test.ts', 'test/**/*.test.ts', '*/**/*.test.ts'], exclude: ['**/node_modules/**', '**/dist/**'], testTimeout: 20_000, retry: 0 },
  });
}

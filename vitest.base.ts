import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';

const quiet = fileURLToPath(new URL('test/support/quiet.ts', import.meta.url));
const counted = fileURLToPath(new URL('test/support/counted.ts', import.meta.url));

/** The files that `npm test` leaves to `npm run test:long`, of any project. */
export const LEFT_OUT = (process.env['RAILYARD_LEFT_OUT'] ?? '')
  .split(' ')
  .filter((path) => path !== '')
  .map((path) => fileURLToPath(new URL(path, import.meta.url)));

/**
 * Tests read the sources of the workspace, so that no build stands between an edit and its test. The files of a project without
 * isolation share their loaded modules: for projects whose tests change no global state, it halves their time.
 */
export function project(name: string, { isolate = true }: { readonly isolate?: boolean } = {}) {
  const runsKit = name === 'conformance' || name.startsWith('connector-');
  return defineProject({
    resolve: { conditions: ['@railyard/source'] },
    ssr: { resolve: { conditions: ['@railyard/source'], externalConditions: ['@railyard/source'] } },
    test: {
      name,
      isolate,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts', '*/**/*.test.ts'],
      exclude: ['**/node_modules/**', '**/dist/**', '**/.railyard/**', ...LEFT_OUT],
      setupFiles: [...(runsKit ? [counted] : []), quiet],
      // Patience for a busy machine; nothing here says how fast anything is.
      // The long run draws so many values that a single test takes minutes.
      testTimeout: process.env['RAILYARD_SOAK'] === undefined ? 180_000 : 3_600_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      retry: 0,
      // A test here mostly waits for a process or a page; the runner's own choice, cores less one, leaves a core of two idle.
      maxWorkers: 3,
      maxConcurrency: 2,
    },
  });
}

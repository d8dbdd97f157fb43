import { defineProject, mergeConfig } from 'vitest/config';
import { project } from '../vitest.base.ts';

// The gates start linters, packers and installers, which take longer than a unit test may.
export default mergeConfig(
  project('repo'),
  defineProject({ test: { include: ['**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000 } }),
);

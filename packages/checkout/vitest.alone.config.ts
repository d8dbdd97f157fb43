import { project } from '../../vitest.base.ts';

/** Files that replace a module: each loads the modules anew, while the others share those of their worker. */
export const ALONE = ['test/hostile/{walls,second-walls}.test.ts'];

const base = project('checkout-alone');

export default {
  ...base,
  test: { ...base.test, include: ALONE, globalSetup: ['./test/support/database-template.ts'] },
};

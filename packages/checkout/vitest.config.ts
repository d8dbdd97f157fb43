import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.ts';

export default mergeConfig(project('checkout'), {
  test: { exclude: ['test/server/**'], globalSetup: ['./test/support/database-template.ts'] },
});

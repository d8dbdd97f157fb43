import { mergeConfig } from 'vitest/config';
import { project } from '../vitest.base.ts';

/** What stands in `install` has a configuration and a script of its own: `npm run test:install`. */
export default mergeConfig(project('release'), { test: { exclude: ['install/**'] } });

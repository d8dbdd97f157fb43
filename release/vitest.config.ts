import { mergeConfig } from 'vitest/config';
import { project } from '../vitest.base.ts';

/** Tests in `install` have a configuration and a script of their own: `npm run test:install`. */
export default mergeConfig(project('release'), { test: { exclude: ['install/**'] } });

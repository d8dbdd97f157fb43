import { project } from '../vitest.base.ts';

export default project('site');

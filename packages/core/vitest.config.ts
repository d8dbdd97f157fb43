import { project } from '../../vitest.base.ts';

export default project('core', { isolate: false });

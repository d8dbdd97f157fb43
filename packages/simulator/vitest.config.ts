import { project } from '../../vitest.base.ts';

export default project('simulator', { isolate: false });

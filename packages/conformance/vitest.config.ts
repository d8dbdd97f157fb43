import { project } from '../../vitest.base.ts';

export default project('conformance', { isolate: false });

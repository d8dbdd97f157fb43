import { project } from '../../vitest.base.ts';

export default project('connector-open-banking', { isolate: false });

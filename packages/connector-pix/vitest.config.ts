import { project } from '../../vitest.base.ts';

export default project('connector-pix', { isolate: false });

import { project } from '../../vitest.base.ts';

export default project('connector-crypto', { isolate: false });

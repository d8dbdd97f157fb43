import { project } from '../../vitest.base.ts';

export default project('connector-card', { isolate: false });

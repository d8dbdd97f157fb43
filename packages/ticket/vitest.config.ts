import { project } from '../../vitest.base.ts';

export default project('ticket', { isolate: false });

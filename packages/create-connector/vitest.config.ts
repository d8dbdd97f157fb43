import { project } from '../../vitest.base.ts';

export default project('create-connector', { isolate: false });

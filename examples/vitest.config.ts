import { project } from '../vitest.base.ts';

export default project('examples', { isolate: false });

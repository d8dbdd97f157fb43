import { project } from '../../vitest.base.ts';

export default project('connector-wallet', { isolate: false });

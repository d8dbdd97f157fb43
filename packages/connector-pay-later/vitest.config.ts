import { project } from '../../vitest.base.ts';

export default project('connector-pay-later', { isolate: false });

import { project } from '../../vitest.base.ts';

export default project('connector-bank-transfer', { isolate: false });

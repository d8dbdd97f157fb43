import { project } from '../../vitest.base.ts';

export default project('connector-voucher', { isolate: false });

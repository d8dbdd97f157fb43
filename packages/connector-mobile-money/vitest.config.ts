import { project } from '../../vitest.base.ts';

export default project('connector-mobile-money', { isolate: false });

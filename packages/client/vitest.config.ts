import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.ts';

/** The service that the client is tried against keeps its data in a copy of the checkout's template. */
export default mergeConfig(project('client', { isolate: false }), {
  test: { globalSetup: ['../checkout/test/support/database-template.ts'] },
});

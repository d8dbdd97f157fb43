import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.ts';

/** The service that the fields are loaded from keeps its data in a copy of the checkout's template. */
export default mergeConfig(project('hosted-fields', { isolate: false }), {
  test: { globalSetup: ['../checkout/test/support/database-template.ts'] },
});

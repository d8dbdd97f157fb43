import { defineConnector, defineMethod, type Outcome, statusTable, type Steps } from '@railyard/core';
import * as z from 'zod';

const method = defineMethod({
  key: 'broken',
  title: 'Broken',
  operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
});

/** Test-only: a connector whose author made a mistake. It throws before it has asked its provider anything. */
export const brokenConnector = defineConnector({
  id: 'test-broken',
  contract: 1,
  version: '1.0.0',
  title: 'At fault',
  settings: z.object({}),
  baseUrl: () => 'http://127.0.0.1:1',
  endpoints: [],
  statuses: statusTable({}),
  serves: (serve) => [
    serve(method, {
      // oxlint-disable-next-line require-yield -- it never comes to its first step
      *purchase(): Steps<Outcome> {
        throw new TypeError('settings.currency is undefined');
      },
    }),
  ],
});

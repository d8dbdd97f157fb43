import { defineConnector } from '@railyard/core';
import { exampleMethod } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { modificationStatus, purchase, refund, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Everything that a deployment needs of Example Pay, as one value. */
export const examplePayConnector = defineConnector({
  id: 'example-pay',
  contract: 1,
  version,
  title: 'Example Pay',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [
    serve(exampleMethod, {
      purchase,
      status,
      refund: { partial: true, flow: refund },
      modificationStatus: modificationStatus,
    }),
  ],
  notifications,
});

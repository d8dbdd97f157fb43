// Run by itself: the checkout with Pix, on the database that it is told.
import { createLog, startCheckout, type Checkout } from '@railyard/checkout';
import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { serveRequests } from './serve-requests.ts';
import { configOf, serviceSchema } from './service-config.ts';

// Lines are made and written as in production, only to nowhere.
const nowhere = openSync(devNull, 'w');
const log = createLog({ write: (line) => writeSync(nowhere, line) });
let checkout: Checkout | undefined;

serveRequests(
  async (request) => {
    checkout = await startCheckout(await configOf(serviceSchema.parse(request)), { log });
    return checkout.url;
  },
  async () => checkout?.stop(),
);

import { defineConnector } from '@railyard/core';
import {
  mobileMoneyBeninA,
  mobileMoneyBeninB,
  mobileMoneyOtp,
  mobileMoneyTogoA,
  mobileMoneyTogoB,
} from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchaseAt, purchaseByCode, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** The networks of Benin and Togo, and collections that a code confirms. */
export const promptConnector = defineConnector({
  id: 'mobile-money-prompt',
  contract: 1,
  version,
  title: 'Mobile money, prompt provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [
    serve(mobileMoneyBeninA, { purchase: purchaseAt('bj-a'), status }),
    serve(mobileMoneyBeninB, { purchase: purchaseAt('bj-b'), status }),
    serve(mobileMoneyTogoA, { purchase: purchaseAt('tg-a'), status }),
    serve(mobileMoneyTogoB, { purchase: purchaseAt('tg-b'), status }),
    serve(mobileMoneyOtp, { purchase: purchaseByCode, status }),
  ],
  notifications,
});

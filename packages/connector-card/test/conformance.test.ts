import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { acquirerConnector, adyenConnector, govukPayConnector, stripeConnector } from '../src/index.ts';
import { adyenOptions } from './support/adyen-samples.ts';
import { govukPayOptions } from './support/govuk-pay-samples.ts';
import { acquirerOptions } from './support/samples.ts';
import { stripeOptions } from './support/stripe-samples.ts';

conformance(acquirerConnector, { ...acquirerOptions, test, level: 'excellent', coverage: true });
conformance(adyenConnector, { ...adyenOptions, test, level: 'excellent', coverage: true });
conformance(govukPayConnector, {
  ...govukPayOptions,
  test,
  level: 'excellent',
  coverage: {
    except: { ': { told: [], isWhole: false }': 'A payment of which something went back has a list of refunds.' },
  },
});
conformance(stripeConnector, { ...stripeOptions, test, level: 'excellent', coverage: true });

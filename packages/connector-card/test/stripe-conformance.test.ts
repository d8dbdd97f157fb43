import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { stripeConnector } from '../src/index.ts';
import { stripeOptions } from './support/stripe-samples.ts';

conformance(stripeConnector, { ...stripeOptions, test, level: 'excellent' });

import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { hostedConnector } from '../src/index.ts';
import { hostedGoldens } from './support/goldens.ts';
import { hostedOptions } from './support/options.ts';

conformance(hostedConnector, { test, level: 'excellent', coverage: true, ...hostedOptions, goldens: hostedGoldens });

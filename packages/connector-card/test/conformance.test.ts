import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { acquirerConnector } from '../src/index.ts';
import { acquirerOptions } from './support/samples.ts';

conformance(acquirerConnector, { ...acquirerOptions, test, level: 'excellent' });

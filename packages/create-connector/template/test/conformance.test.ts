import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { examplePayConnector } from '../src/index.ts';
import { examplePaySimulation } from '../src/simulation.ts';
import { goldens } from './goldens.ts';

conformance(examplePayConnector, {
  test,
  level: 'excellent',
  simulation: examplePaySimulation,
  settings: {
    base_url: 'https://api.example',
    api_key: 'test-api-key',
    webhook_secret: 'test-notification-secret',
  },
  sessions: {
    'example-method': { purchase: { parameters: { account_name: 'Maria Silva', statement_text: 'Two books' } } },
  },
  goldens,
  coverage: true,
  answers: new URL('../answers.md', import.meta.url),
});

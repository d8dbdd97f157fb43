import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { conektaConnector } from '../src/index.ts';
import { conektaSimulation } from '../src/simulation.ts';
import { conektaGoldens } from './support/goldens.ts';

const session = {
  customer: { name: 'Ana Torres', email: 'ana@example.com' },
  billing_address: { country: 'MX', phone: '+525522997233' },
};

conformance(conektaConnector, {
  test,
  level: 'excellent',
  simulation: conektaSimulation,
  settings: { base_url: 'https://api.example', api_key: 'the-private-key', expires_in_hours: 48 },
  sessions: {
    'cash-voucher': { purchase: { session, parameters: {} } },
    spei: { purchase: { session, parameters: {} } },
  },
  goldens: conektaGoldens,
});

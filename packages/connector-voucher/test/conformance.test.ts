import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { conektaConnector, referenceVoucherConnector, voucherGatewayConnector } from '../src/index.ts';
import { conektaSimulation, referenceVoucherSimulation, voucherGatewaySimulation } from '../src/simulation.ts';
import { conektaGoldens } from './support/goldens.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';
import { referenceGoldens } from './support/reference-goldens.ts';

const session = {
  customer: { name: 'Ana Torres', email: 'ana@example.com' },
  billing_address: { country: 'MX', phone: '+525522997233' },
};

conformance(conektaConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: conektaSimulation,
  settings: { base_url: 'https://api.example', api_key: 'the-private-key', expires_in_hours: 48 },
  sessions: {
    'cash-voucher': {
      purchase: [
        { session, parameters: {} },
        { name: 'two-letters', session: { ...session, order: { description: 'CD' } }, parameters: {} },
      ],
    },
    spei: { purchase: { session, parameters: {} } },
  },
  goldens: conektaGoldens,
});

conformance(referenceVoucherConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: referenceVoucherSimulation,
  settings: {
    base_url: 'https://api.example',
    private_key: 'the-private-key',
    gateway_id: 'gateway-1',
  },
  sessions: { 'cash-reference': { purchase: { parameters: {} } } },
  goldens: referenceGoldens,
});

conformance(voucherGatewayConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: voucherGatewaySimulation,
  settings: { base_url: 'https://api.example', api_key: 'the-api-key', api_secret: 'the-api-secret' },
  sessions: {
    'voucher-redirect': { purchase: { parameters: {} } },
    'cash-ticket': { purchase: { parameters: { document_number: '1020304050' } } },
    'pin-voucher': { purchase: { parameters: { pin: '1234567890123456' } } },
  },
  goldens: gatewayGoldens,
});

import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { paypalConnector, walletGatewayConnector } from '../src/index.ts';
import { paypalSimulation, walletGatewaySimulation } from '../src/simulation.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';
import { paypalGoldens } from './support/goldens.ts';

conformance(paypalConnector, {
  test,
  level: 'excellent',
  simulation: paypalSimulation,
  settings: {
    base_url: 'https://api.example',
    client_id: 'the-client-id',
    client_secret: 'the-client-secret',
    webhook_id: '1JE4291016473214C',
  },
  sessions: {
    redirect: {
      purchase: [
        { name: 'sale', connectorState: { capture: '2GG279541U471931P' } },
        { name: 'hold', session: { auth: true }, connectorState: { authorization: '0AW2184448108334S' } },
      ],
    },
  },
  goldens: paypalGoldens,
});

const paying = (parameters: Readonly<Record<string, unknown>>, currency = 'USD') => ({
  purchase: { session: { order: { currency } }, parameters },
});
const byDocument = { document_number: '1701234567' };

conformance(walletGatewayConnector, {
  test,
  level: 'excellent',
  simulation: walletGatewaySimulation,
  settings: {
    base_url: 'https://api.example',
    api_token: 'the-token-of-the-shop',
    notification_key: 'a-key-that-signs-them',
  },
  sessions: {
    widget: paying({}),
    app: paying({}),
    qr: paying({}),
    'payment-details': paying({}),
    'document-redirect': paying(byDocument),
    'document-redirect-alt': paying(byDocument),
    'document-redirect-typed': paying({ ...byDocument, document_type: 'CI' }),
  },
  goldens: gatewayGoldens,
});

import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { bcbConnector, collectionConnector, instantConnector, payerIdConnector } from '../src/index.ts';
import { bcbGoldens } from './bcb-goldens.ts';
import { collectionGoldens, instantGoldens, payerIdGoldens } from './goldens.ts';
import { bcbSimulation, collectionSimulation, instantSimulation, payerIdSimulation } from '../src/simulation.ts';

const base_url = 'https://api.example';
const account = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
const full = {
  fine: '1.00',
  type_fine: 'VALUE',
  type_document: 'CPF',
  debtor_document: '52998224725',
  debtor_name: 'Maria Silva',
};
const payout = { key: 'fulano@example.com', source_account_number: '12345', branch_identifier: '0001' };

conformance(instantConnector, {
  test,
  level: 'excellent',
  simulation: instantSimulation,
  goldens: instantGoldens,
  settings: { base_url, api_key: 'the-api-key', webhook_secret: 'the-webhook-secret' },
  sessions: { pix: { purchase: { parameters: full }, credit: { parameters: payout } } },
});

conformance(collectionConnector, {
  test,
  level: 'excellent',
  simulation: collectionSimulation,
  goldens: collectionGoldens,
  settings: { base_url, api_key: 'the-api-key' },
  sessions: { 'pix-collection': { purchase: { mid: account, parameters: { expiryDate: '2037-01-01T00:00:00Z' } } } },
});

conformance(payerIdConnector, {
  test,
  level: 'excellent',
  simulation: payerIdSimulation,
  goldens: payerIdGoldens,
  settings: {
    base_url,
    client_id: 'the-client',
    client_secret: 'the-client-secret',
    notification_token: 'a-token-of-twenty-c',
  },
  sessions: {
    'pix-document': { purchase: { parameters: { document_number: '529.982.247-25' } } },
    'pix-personal': { purchase: { parameters: { personal_id: '52998224725' } } },
  },
});

conformance(bcbConnector, {
  test,
  level: 'excellent',
  simulation: bcbSimulation,
  goldens: bcbGoldens,
  settings: {
    base_url,
    oauth_url: 'https://oauth.example/oauth',
    client_id: 'the-client',
    client_secret: 'the-client-secret',
    chave: 'loja@example.com',
    certificate: 'the-certificate',
    certificate_key: 'the-certificate-key',
    ca: 'the-authority',
  },
  sessions: {
    'pix-charge': {
      purchase: {
        parameters: {
          devedor_documento: '52998224725',
          devedor_nome: 'Maria Silva',
          solicitacaoPagador: 'Your membership number?',
        },
      },
    },
  },
});

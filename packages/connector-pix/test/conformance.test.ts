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
const byCompany = { type_document: 'CNPJ', debtor_document: '12ABC34501DE35' };
const payout = { key: 'fulano@example.com', source_account_number: '12345', branch_identifier: '0001' };

conformance(instantConnector, {
  test,
  level: 'excellent',
  coverage: {
    except: { 'return declined("hard", "payee_not_valid"': 'The registry takes no other key of a receiver.' },
  },
  simulation: instantSimulation,
  goldens: instantGoldens,
  settings: { base_url, api_key: 'the-api-key', webhook_secret: 'the-webhook-secret', cnpj_numeric_only: true },
  sessions: {
    pix: {
      purchase: [
        { parameters: full },
        { name: 'without-fine', parameters: { ...full, fine: undefined, type_fine: 'NONE' } },
        { name: 'letters', parameters: { ...full, ...byCompany }, declines: 'not_supported' },
      ],
      credit: { parameters: payout },
    },
  },
});

conformance(collectionConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: collectionSimulation,
  goldens: collectionGoldens,
  settings: { base_url, api_key: 'the-api-key' },
  sessions: {
    'pix-collection': {
      purchase: [
        { mid: account, parameters: { expiryDate: '2037-01-01T00:00:00Z' } },
        // The kit's clock says 10:00 of that day.
        { name: 'late', mid: account, parameters: { expiryDate: '2026-11-21T08:00:00Z' }, declines: 'expired' },
      ],
    },
  },
});

conformance(payerIdConnector, {
  test,
  level: 'excellent',
  coverage: true,
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
    'pix-personal': {
      purchase: [
        { parameters: { personal_id: '52998224725' } },
        { name: 'elsewhere', session: { billing_address: { country: 'PT' } }, parameters: {} },
      ],
    },
  },
});

const bcbParameters = {
  devedor_documento: '52998224725',
  devedor_nome: 'Maria Silva',
  solicitacaoPagador: 'Your membership number?',
};

conformance(bcbConnector, {
  test,
  level: 'excellent',
  coverage: true,
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
      purchase: [
        { parameters: bcbParameters },
        // The reply that made the charge was lost.
        { name: 'lost', parameters: bcbParameters, connectorState: {} },
      ],
    },
  },
});

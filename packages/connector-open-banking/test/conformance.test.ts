import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { gatewayConnector, initiationConnector, obUkConnector } from '../src/index.ts';
import { gatewaySimulation, initiationSimulation, obUkSimulation } from '../src/simulation.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';
import { initiationGoldens } from './support/initiation-goldens.ts';
import { settings as obUkSettings } from './support/ob-uk.ts';
import { obUkGoldens } from './support/ob-uk-goldens.ts';

const base_url = 'https://api.example';
const webhook_secret = 'a-notification-secret';
const payee = (payee_country: string, ...names: readonly (readonly [type: string, identification: string])[]) => ({
  payee_name: 'Ann Lee',
  payee_country,
  payee_identifications: names.map(([type, identification]) => ({ type, identification })),
});
const signals = { bank: { values: { bank: 'bank_north' } } };

conformance(initiationConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: initiationSimulation,
  settings: {
    base_url,
    client_id: 'the-client-id',
    client_secret: 'the-client-secret',
    webhook_secret,
    choose_bank: true,
  },
  sessions: {
    'open-banking': {
      purchase: [
        {
          name: 'sort-code',
          session: { order: { currency: 'GBP' }, billing_address: { country: 'GB' } },
          parameters: payee('GB', ['SORT_CODE', '04-00-04'], ['ACCOUNT_NUMBER', '12345678']),
          signals,
        },
        {
          name: 'iban',
          session: { order: { currency: 'EUR' } },
          parameters: payee('DE', ['IBAN', 'DE89 3704 0044 0532 0130 00'], ['BIC', 'COBADEFF']),
          signals,
        },
        {
          name: 'card-number',
          session: { order: { currency: 'EUR' } },
          parameters: payee('DE', ['PAN', '4111111111111111']),
          signals,
        },
      ],
    },
  },
  goldens: initiationGoldens,
});

conformance(gatewayConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: gatewaySimulation,
  settings: { base_url, merchant_id: 'the-merchant-id', api_key: 'the-api-key', webhook_secret },
  sessions: {
    'online-bank-transfer': {
      purchase: [
        { name: 'two-names', session: { order: { currency: 'EUR' } } },
        { name: 'one-name', session: { order: { currency: 'EUR' }, customer: { name: 'Sokrates' } } },
      ],
    },
  },
  goldens: gatewayGoldens,
});

const ofIban = payee('GB', ['IBAN', 'GB29 NWBK 6016 1331 9268 19']);

conformance(obUkConnector, {
  test,
  level: 'excellent',
  coverage: { except: { '? { by: "tls"': 'The settings of the kit name one proof, which is the other.' } },
  simulation: obUkSimulation,
  settings: {
    ...obUkSettings,
    base_url: 'https://api.example/open-banking/v4.0/pisp',
    certificate: 'the-certificate',
    certificate_key: 'the-certificate-key',
    ca: 'the-authority',
  },
  sessions: {
    'open-banking': {
      purchase: [
        { name: 'iban', session: { order: { currency: 'GBP' } }, parameters: ofIban },
        {
          // The IBAN is left, where the kit leaves one of the others out.
          name: 'sort-code',
          session: { order: { currency: 'GBP' } },
          parameters: payee(
            'GB',
            ['SORT_CODE', '04-00-04'],
            ['ACCOUNT_NUMBER', '12345678'],
            ['IBAN', 'GB29 NWBK 6016 1331 9268 19'],
          ),
        },
        {
          name: 'turned-away',
          session: { order: { currency: 'GBP' } },
          parameters: ofIban,
          signals: { visit: { values: { error: 'access_denied' } } },
          declines: 'cancelled_by_payer',
        },
        { name: 'unpaid', session: { order: { currency: 'GBP' } }, parameters: ofIban, connectorState: {} },
      ],
    },
  },
  goldens: obUkGoldens,
});

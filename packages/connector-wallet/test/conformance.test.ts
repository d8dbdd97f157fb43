import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import {
  linkPayoutConnector,
  paypalConnector,
  signedDepositConnector,
  vippsConnector,
  walletGatewayConnector,
} from '../src/index.ts';
import {
  linkPayoutSimulation,
  paypalSimulation,
  signedDepositSimulation,
  vippsSimulation,
  walletGatewaySimulation,
} from '../src/simulation.ts';
import { depositGoldens } from './support/deposit-goldens.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';
import { paypalGoldens } from './support/goldens.ts';
import { depositSettings, provider } from './support/keys.ts';
import { linkPayoutGoldens } from './support/link-payout-goldens.ts';
import { vippsGoldens } from './support/vipps-goldens.ts';

conformance(paypalConnector, {
  test,
  level: 'excellent',
  coverage: true,
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
        { name: 'cents', session: { order: { amount: '10.50', currency: 'HUF' } }, declines: 'amount_not_accepted' },
      ],
    },
  },
  goldens: paypalGoldens,
});

const inKroner = { order: { currency: 'NOK' } };

conformance(vippsConnector, {
  test,
  level: 'excellent',
  coverage: {
    except: {
      ': "Vipps did not give the log of the payment."': 'A payment that Vipps has given back always has a log.',
    },
  },
  simulation: vippsSimulation,
  settings: {
    base_url: 'https://api.example',
    merchant_serial_number: '123456',
    client_id: 'the-client-id',
    client_secret: 'the-client-secret',
    subscription_key: 'the-subscription-key',
    webhook_secret: 'a-secret-that-signs',
  },
  sessions: {
    'wallet-vipps': {
      purchase: [
        { name: 'sale', session: inKroner },
        { name: 'hold', session: { ...inKroner, auth: true } },
        { name: 'two-letters', session: { order: { ...inKroner.order, description: 'CD' } } },
      ],
    },
  },
  goldens: vippsGoldens,
});

const paying = (parameters: Readonly<Record<string, unknown>>, currency = 'USD', session: object = {}) => ({
  purchase: { session: { order: { currency }, ...session }, parameters },
});
const byDocument = { document_number: '1701234567' };
const inIndia = { personal_id: 'ABCDE1234F' };
const inVietNam = { personal_id: '001 099 012 345' };
const byPhone = { billing_address: { phone: '+573001234567' } };
const known = {
  customer: { name: 'Ana Marija Horvat', email: 'ana@example.com' },
  billing_address: { phone: '+385911234567', country: 'HR', address: 'Ilica 1', city: 'Zagreb', zip: '10000' },
};
const question = { SecurityQuestion: 'Where do we meet?', SecurityQuestionAnswer: 'library' };

conformance(walletGatewayConnector, {
  test,
  level: 'excellent',
  coverage: true,
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
    'member-redirect': paying({ memberId: 'm-1' }),
    'country-fields': paying({ personalId: '529.982.247-25' }, 'USD', { billing_address: { country: 'BR' } }),
    'upi-personal': paying(inIndia, 'INR'),
    'upi-personal-alt': paying(inIndia, 'INR'),
    'wallet-vn-a': paying(inVietNam, 'VND'),
    'wallet-vn-b': paying(inVietNam, 'VND'),
    'wallet-vn-c': paying(inVietNam, 'VND'),
    'wallet-co': paying({ personal_id: '1.020.304.050' }, 'COP'),
    'wallet-payin': paying({}, 'USD', known),
    upi: paying({ upi_id: 'abc@ybl' }, 'INR'),
    'upi-address': paying({ upiAddress: 'abc@ybl' }, 'INR'),
    'phone-wallet': paying({}, 'USD', byPhone),
    'phone-prompt': paying({}, 'USD', byPhone),
    'link-email': paying(question, 'USD', { customer: { email: 'ada@example.com' } }),
    'link-sms': paying({}, 'USD', byPhone),
  },
  goldens: gatewayGoldens,
});

const depositing = {
  session: { order: { currency: 'EUR' }, customer: { name: 'Ana Marija Horvat', birth_date: '1990-04-23' } },
  parameters: { payer_id: 'user-7781' },
};

conformance(signedDepositConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: signedDepositSimulation,
  settings: { base_url: 'https://api.example', ...depositSettings, web_application_service: 'web-1' },
  providerKey: provider.privateKey,
  sessions: {
    'cash-wallet-deposit': {
      purchase: [depositing, { ...depositing, name: 'closed', connectorState: { notified: 'closed' } }],
    },
  },
  goldens: depositGoldens,
});

conformance(linkPayoutConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: linkPayoutSimulation,
  settings: {
    base_url: 'https://api.example',
    api_key: 'the-api-key',
    webhook_secret: 'a-secret-that-signs',
    account_uuid: '5d1b7f0e-2c64-4f7a-9e3d-8a40c1b2d3e4',
  },
  sessions: {
    'link-payout': {
      credit: {
        session: { order: { currency: 'CAD' }, customer: { name: 'Ana Horvat', email: 'ana@example.com' } },
        parameters: { SecurityQuestion: 'Where did we meet first?', SecurityQuestionAnswer: 'At the sea' },
      },
    },
  },
  goldens: linkPayoutGoldens,
});

import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { bankCollectionConnector, bankGatewayConnector, bankIpsConnector, bankPayoutConnector } from '../src/index.ts';
import {
  bankCollectionSimulation,
  bankGatewaySimulation,
  bankIpsSimulation,
  bankPayoutSimulation,
} from '../src/simulation.ts';
import { beneficiaryGoldens } from './support/beneficiary-goldens.ts';
import { collectionGoldens } from './support/collection-goldens.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';
import { ipsGoldens } from './support/ips-goldens.ts';
import { payoutGoldens } from './support/payout-goldens.ts';
import { payoutTo } from './support/payouts.ts';

const base_url = 'https://api.example';
const expiryDate = '2037-01-01T00:00:00Z';
const mid = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
const collecting = (currency: string, parameters: object) => ({
  mid,
  session: { order: { currency } },
  parameters: { expiryDate, ...parameters },
});

conformance(bankCollectionConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: bankCollectionSimulation,
  settings: { base_url, api_key: 'the-api-key' },
  sessions: {
    'bank-offline-ar': {
      purchase: [
        collecting('ARS', { clientTaxId: '20-05536168-2' }),
        {
          ...collecting('ARS', { clientTaxId: '20-05536168-2', expiryDate: '2026-11-21T08:00:00Z' }),
          name: 'late',
          declines: 'expired',
        },
      ],
    },
    'bank-offline-cl': { purchase: collecting('CLP', { clientTaxId: '12.531.909-2' }) },
    'bank-offline-pe': { purchase: collecting('PEN', { clientname: 'Rosa Quispe' }) },
    'bank-offline-py': { purchase: collecting('PYG', { clientname: 'Ana Ayala' }) },
    'service-payment-pe': { purchase: collecting('PEN', {}) },
    debin: {
      purchase: [
        { name: 'alias', ...collecting('ARS', { bankDetails: { alias: 'mesa.rio.luna' } }) },
        {
          name: 'asked',
          ...collecting('ARS', {}),
          signals: { account: { values: { account: '2850590940090418135201' } } },
        },
      ],
    },
    'mobile-pull-pe': {
      purchase: [
        { name: 'sent', ...collecting('PEN', { bankDetails: { phoneNumber: '+51987654321', otp: '123456' } }) },
        {
          name: 'asked',
          ...collecting('PEN', {}),
          signals: {
            code: { values: { phoneNumber: '+51987654321', otp: '123456' } },
            'code#2': { values: { otp: '654321' } },
          },
        },
      ],
    },
  },
  goldens: collectionGoldens,
});

const paying = (currency: string, parameters: Readonly<Record<string, unknown>>) => ({
  purchase: { session: { order: { currency } }, parameters },
});
const ownAccount = { orgCode: 'ZIRAAT', accountName: 'Ada Yilmaz', accountNumber: '1234567' };

const inCountry = (name: string, country: string, currency: string, parameters: object) => ({
  name,
  session: { order: { currency }, billing_address: { country } },
  parameters: { document_number: '12.531.909-2', ...parameters },
});
const inColombia = { person_type: 'individual', document_type: 'CC', document_number: '1020304050' };

const bankCode = { values: { code: '123456' } };
const inSteps = {
  beneficiary: { values: { name: 'Example Shop', account: '1234567890' } },
  account: { values: { account: 'acc-2' } },
  code: bankCode,
};

conformance(bankGatewayConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: bankGatewaySimulation,
  settings: { base_url, token: 'the-token-of-the-shop', signing_secret: 'a-secret-that-signs' },
  sessions: {
    'bank-ar': paying('ARS', { bank_cuil: '20-05536168-2' }),
    'bank-mx': paying('MXN', { bank_curp: 'BOXW310820HNERXN09' }),
    'bank-code-tr': paying('TRY', ownAccount),
    'wallet-tr': paying('TRY', ownAccount),
    'wallet-th': paying('THB', ownAccount),
    'qr-th': paying('THB', ownAccount),
    'iban-tr': paying('TRY', { personal_id: '17291716060' }),
    'bank-account': paying('MYR', { bank_code: 'AGRIFRPP', bank_account_number: '1234567890' }),
    'bank-deposit': paying('BDT', {
      BankName: 'Example Bank',
      BankCode: '0123',
      BranchName: 'Main street',
      BranchCode: '045',
      AccountNumber: '1234567',
    }),
    'bank-redirect': {
      purchase: [
        inCountry('Colombia', 'CO', 'COP', { ...inColombia, bank: 'B-02' }),
        { ...inCountry('asked', 'CL', 'CLP', {}), signals: { bank: { values: { bank: 'B-01' } } } },
        inCountry('Mexico', 'MX', 'MXN', { document_type: 'CURP', document_number: 'BOXW310820HNERXN09' }),
      ],
    },
    'bank-beneficiary': {
      purchase: [
        { name: 'code at the end', session: { order: { currency: 'EUR' } }, parameters: {}, signals: inSteps },
        {
          name: 'code at every stage',
          session: { order: { currency: 'EUR', description: 'Two books, code at every stage' } },
          parameters: { beneficiary: inSteps.beneficiary.values },
          signals: {
            ...inSteps,
            code: { resend: true },
            'code#2': bankCode,
            'code#3': bankCode,
            'code#4': bankCode,
          },
        },
      ],
    },
  },
  goldens: [...gatewayGoldens, ...beneficiaryGoldens],
});

const inRupees = { order: { currency: 'INR' } };
const inIndia = { parameters: payoutTo['IN']?.parameters ?? {} };
const payoutsTo = Object.entries(payoutTo).map(([name, { currency, parameters }]) => ({
  name,
  session: { order: { currency } },
  parameters,
}));

conformance(bankPayoutConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: bankPayoutSimulation,
  settings: { base_url, api_key: 'the-api-key', signing_secret: 'a-secret-that-signs' },
  sessions: {
    disbursement: {
      credit: [
        ...payoutsTo,
        { ...inIndia, name: 'at home', session: { ...inRupees, payee_billing_address: { country: 'IN' } } },
        {
          ...inIndia,
          name: 'abroad',
          session: { ...inRupees, payee_billing_address: { country: 'BR' } },
          declines: 'not_supported',
        },
      ],
    },
    'bank-withdrawal': {
      credit: {
        session: { order: { currency: 'CNY' } },
        parameters: { ToAccountNumber: '1234567890', ToAccountName: 'Li Na' },
      },
    },
  },
  goldens: payoutGoldens,
});

const byCode = (name: string, currency: string) => ({ name, session: { order: { currency } }, parameters: {} });

conformance(bankIpsConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: bankIpsSimulation,
  settings: { base_url, api_key: 'the-api-key', signing_secret: 'a-secret-that-signs' },
  sessions: { 'ips-qr': { purchase: [byCode('Serbia', 'RSD'), byCode('Montenegro', 'EUR')] } },
  goldens: ipsGoldens,
});

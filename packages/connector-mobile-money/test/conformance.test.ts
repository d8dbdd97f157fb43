import { conformance, type SampleSession } from '@railyard/conformance';
import { test } from 'vitest';
import { gsmaConnector, hubConnector, narrativeConnector, paystackConnector, promptConnector } from '../src/index.ts';
import {
  gsmaSimulation,
  hubSimulation,
  narrativeSimulation,
  paystackSimulation,
  promptSimulation,
} from '../src/simulation.ts';
import { gsmaGoldens } from './gsma-goldens.ts';
import { paystackGoldens } from './paystack-goldens.ts';
import { hubGoldens, narrativeGoldens, promptGoldens } from './support/goldens.ts';

const base_url = 'https://api.example';
const webhook_secret = 'a-notification-secret';
const entered = (code: string) => ({ code: { values: { code } } });
/** The first code does not arrive, the second is entered. */
const askedAgain = (code: string) => ({ code: { resend: true }, 'code#2': { values: { code } } }) as const;

const collection = (
  name: string,
  currency: string,
  mobile_number: string,
  signals: NonNullable<SampleSession['signals']> = entered('123456'),
) => ({
  name,
  session: { order: { currency } },
  parameters: { mobile_number },
  signals,
});

const payout = (
  name: string,
  currency: string,
  mobile_money_operator: string,
  mobile_number: string,
  amount = '100.00',
) => ({
  name,
  session: { order: { currency, amount }, payee: { name: 'Ada Lovelace', email: 'payee@example.com' } },
  parameters: { mobile_money_operator, mobile_number, customer_email: 'ada@example.com', customer_name: 'Ada B.' },
});

conformance(hubConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: hubSimulation,
  settings: { base_url, api_key: 'the-secret-key', webhook_secret },
  sessions: {
    'mobile-money': {
      purchase: [
        collection('prompt', 'KES', '+254712345678'),
        collection('code', 'GHS', '+233240000000', askedAgain('123456')),
        collection('page', 'XOF', '+2250123456789'),
      ],
      credit: [
        payout('kenya', 'KES', 'safaricom-ke', '+254712345678'),
        payout('ghana', 'GHS', 'mtn-gh', '+233231234567'),
        payout('ivory-coast', 'XOF', 'wave-ci', '+2250123456789'),
        payout('cameroon', 'XAF', 'mtn-cm', '+237671234567'),
        payout('tanzania', 'TZS', 'airtel-tz', '+255621234567', '1000.00'),
        payout('egypt', 'EGP', 'aman-eg', '+201001234567'),
      ],
    },
  },
  goldens: hubGoldens,
});

const network = (mobile_number: string) => ({ purchase: { parameters: { mobile_number } } });

conformance(promptConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: promptSimulation,
  settings: { base_url, api_key: 'the-api-key', webhook_secret },
  sessions: {
    'mobile-money-bj-a': network('+2290195123456'),
    'mobile-money-bj-b': network('+2290195123456'),
    'mobile-money-tg-a': network('+22890112345'),
    'mobile-money-tg-b': network('+22890112345'),
    'mobile-money-otp': {
      purchase: {
        name: 'code',
        session: { order: { currency: 'XOF' } },
        parameters: { mobile_number: '+22890112345', receiver_number: '+2290195123456' },
        signals: askedAgain('4711'),
      },
    },
  },
  goldens: promptGoldens,
});

conformance(narrativeConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: narrativeSimulation,
  settings: { base_url, username: 'the-user-name', password: 'the-password' },
  sessions: {
    'mobile-money-ug': {
      purchase: {
        parameters: {
          mobile_number: '+256712345678',
          AccountProviderCode: 'MTN_UGANDA',
          NarrativeFileName: 'a.pdf',
          NarrativeFileBase64: 'JVBERi0=',
          ProviderReferenceText: 'Thank you',
        },
      },
    },
  },
  goldens: narrativeGoldens,
});

const kenyan = { session: { order: { currency: 'KES' } }, parameters: { mobile_number: '+254712345678' } };

conformance(gsmaConnector, {
  test,
  level: 'excellent',
  coverage: {
    except: {
      ': "unclear"': 'A list that is refused at its second page: an endpoint of the kit answers a walk in one way.',
      '; return "unclear";': 'A list of more pages than are read.',
      'return unknown(UNREAD_REVERSALS': 'Follows the two above.',
      '? withReason(declined(':
        'The path of a callback names the payment that an error is about, and examples have none.',
      '? body.errorCode': 'As above.',
    },
  },
  simulation: gsmaSimulation,
  settings: {
    base_url,
    oauth_url: 'https://oauth.example/v1/oauth',
    consumerKey: 'the-consumer',
    consumerSecret: 'the-consumer-secret',
    apiKey: 'the-api-key',
    party_value: '2999',
  },
  sessions: {
    'mobile-money-gsma': {
      purchase: [kenyan, { ...kenyan, name: 'known', connectorState: { transaction: 'REF-1635488317033' } }],
      credit: kenyan,
    },
  },
  goldens: gsmaGoldens,
});

const paystack = (name: string, currency: string, network: string, mobile_number: string) => ({
  name,
  session: { order: { currency }, payee: { name: 'Ada Lovelace' } },
  parameters: { network, mobile_number },
  signals: entered('123456'),
});

conformance(paystackConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: paystackSimulation,
  settings: { base_url, secret_key: 'sk_test_of_an_account' },
  sessions: {
    'mobile-money-paystack': {
      purchase: [
        paystack('mtn', 'GHS', 'mtn', '+233551234987'),
        paystack('mpesa', 'KES', 'mpesa', '+254712345678'),
        paystack('vodafone', 'GHS', 'vod', '+233201234567'),
        paystack('wrong-code', 'GHS', 'vod', '+233201234567'),
        paystack('asked-for-the-phone', 'GHS', 'atl', '+233271234567'),
      ],
      credit: paystack('ghana', 'GHS', 'mtn', '+233551234987'),
    },
  },
  goldens: paystackGoldens,
});

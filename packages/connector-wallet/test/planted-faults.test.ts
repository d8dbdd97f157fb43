import {
  commonFaults,
  faultsAreCaught,
  keyOfEachSend,
  notificationFaults,
  sending,
  servingOnly,
} from '../../conformance/test/support/common-faults.ts';
import { declined } from '@railyard/core';
import { statusReports, withdrawals } from '../../conformance/test/support/planted.ts';
import { vippsConnector, walletGatewayConnector } from '../src/index.ts';
import { vippsSimulation, walletGatewaySimulation } from '../src/simulation.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';
import { vippsGoldens } from './support/vipps-goldens.ts';

const names = {
  creates: /^open-page$/,
  lookups: /^(?:get|find)-/,
  state: 'status',
  word: 'paid',
  rare: 'expired',
  secret: 'api_token',
};

const payin = servingOnly('wallet-payin', walletGatewayConnector);

faultsAreCaught(
  // Other methods have endpoints of their own.
  { ...payin, endpoints: payin.endpoints.filter(({ name }) => /^(?:get|find|ask-challenge|open-page)/.test(name)) },
  {
    simulation: walletGatewaySimulation,
    settings: {
      base_url: 'https://api.example',
      api_token: 'the-token-of-the-shop',
      notification_key: 'a-key-that-signs-them',
    },
    sessions: {
      'wallet-payin': {
        purchase: {
          session: {
            order: { currency: 'USD' },
            customer: { name: 'Ana Marija Horvat', email: 'ana@example.com' },
            billing_address: {
              phone: '+385911234567',
              country: 'HR',
              address: 'Ilica 1',
              city: 'Zagreb',
              zip: '10000',
            },
          },
          parameters: {},
        },
      },
    },
    goldens: gatewayGoldens.filter(({ by }) => by?.method === 'wallet-payin'),
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    keyOfEachSend('x-once'),
    ['a challenge that is not sent', 'plays-to-its-end', sending(names.creates, { challenge_id: 'ch_0' })],
    ['the payer not sent', 'golden-requests-match', sending(names.creates, { payer: undefined })],
  ],
);

const inKroner = { order: { currency: 'NOK' } };

faultsAreCaught(
  vippsConnector,
  {
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
        ],
      },
    },
    goldens: vippsGoldens,
  },
  [
    [
      'a payer who left for another way, without a call',
      'withdrawn-payments-cannot-be-paid',
      withdrawals(
        () =>
          function* () {
            yield* [];
            return declined('hard', 'cancelled');
          },
      ),
    ],
    [
      'the end of a hold looked up as a decline',
      'expired-holds-are-released',
      statusReports((report) => {
        const [first] = 'events' in report ? report.events : [];
        return first?.kind === 'ended' ? first.outcome : report;
      }),
    ],
    ['a capture without its amount', 'golden-requests-match', sending(/^capture-/, { modificationAmount: undefined })],
    [
      'a push to the phone in place of the page',
      'golden-requests-match',
      sending(/^create-/, { userFlow: 'PUSH_MESSAGE' }),
    ],
  ],
);

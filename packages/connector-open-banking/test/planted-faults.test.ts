import {
  commonFaults,
  faultsAreCaught,
  notificationFaults,
  refusedRepeat,
  sending,
} from '../../conformance/test/support/common-faults.ts';
import { gatewayConnector } from '../src/index.ts';
import { gatewaySimulation } from '../src/simulation.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';

const names = {
  creates: /^open-transaction$/,
  lookups: /^(?:get|find)-/,
  state: 'status',
  word: 'PAID',
  rare: 'BLOCKED',
  secret: 'api_key',
};

faultsAreCaught(
  gatewayConnector,
  {
    simulation: gatewaySimulation,
    settings: {
      base_url: 'https://api.example',
      merchant_id: 'the-merchant-id',
      api_key: 'the-api-key',
      webhook_secret: 'a-notification-secret',
    },
    sessions: {
      'online-bank-transfer': {
        purchase: [
          { name: 'two-names', session: { order: { currency: 'EUR' } } },
          { name: 'one-name', session: { order: { currency: 'EUR' }, customer: { name: 'Sokrates' } } },
        ],
      },
    },
    goldens: gatewayGoldens,
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    refusedRepeat,
    ['our reference not sent', 'references-are-on-the-wire', sending(names.creates, { merchant_reference: undefined })],
    ['the payer’s name not sent', 'golden-requests-match', sending(names.creates, { lastname: undefined })],
  ],
);

import {
  commonFaults,
  faultsAreCaught,
  keyOfEachSend,
  notificationFaults,
  refusedRepeat,
  sending,
  servingOnly,
} from '../../conformance/test/support/common-faults.ts';
import { promptConnector } from '../src/index.ts';
import { promptSimulation } from '../src/simulation.ts';
import { promptGoldens } from './support/goldens.ts';

const names = {
  creates: /^create-request$/,
  lookups: /^(?:get|find)-/,
  state: 'status',
  word: 'waiting',
  rare: 'no_money',
  secret: 'api_key',
};

faultsAreCaught(
  servingOnly(['mobile-money-bj-a', 'mobile-money-otp'], promptConnector),
  {
    simulation: promptSimulation,
    settings: {
      base_url: 'https://api.example',
      api_key: 'the-api-key',
      webhook_secret: 'a-notification-secret',
    },
    sessions: {
      'mobile-money-bj-a': { purchase: { parameters: { mobile_number: '+2290195123456' } } },
      'mobile-money-otp': {
        purchase: {
          name: 'code',
          session: { order: { currency: 'XOF' } },
          parameters: { mobile_number: '+22890112345', receiver_number: '+2290195123456' },
          signals: { code: { resend: true }, 'code#2': { values: { code: '4711' } } },
        },
      },
    },
    goldens: promptGoldens,
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    refusedRepeat,
    keyOfEachSend('idempotency-key'),
    ['the number of the phone not sent', 'golden-requests-match', sending(names.creates, { number: undefined })],
  ],
);

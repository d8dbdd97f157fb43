import { withPlace } from '@railyard/core/driver';
import {
  commonFaults,
  faultsAreCaught,
  notificationFaults,
  refusedRepeat,
  sending,
} from '../../conformance/test/support/common-faults.ts';
import { replies } from '../../conformance/test/support/planted.ts';
import { bankPayoutConnector } from '../src/index.ts';
import { bankPayoutSimulation } from '../src/simulation.ts';
import { payoutGoldens } from './support/payout-goldens.ts';
import { payoutTo } from './support/payouts.ts';

const names = {
  creates: /^create-payout$/,
  lookups: /^(?:get|find)-/,
  state: 'state',
  word: 'PAID',
  rare: 'RETURNED',
  secret: 'api_key',
};
if (payoutTo['PE'] === undefined) throw new Error('There is no payout to Peru.');
const { currency, parameters } = payoutTo['PE'];

faultsAreCaught(
  bankPayoutConnector,
  {
    simulation: bankPayoutSimulation,
    settings: { base_url: 'https://api.example', api_key: 'the-api-key', signing_secret: 'a-secret-that-signs' },
    sessions: {
      disbursement: { credit: { name: 'PE', session: { order: { currency } }, parameters } },
      'bank-withdrawal': {
        credit: {
          session: { order: { currency: 'CNY' } },
          parameters: { ToAccountNumber: '1234567890', ToAccountName: 'Li Na' },
        },
      },
    },
    goldens: payoutGoldens,
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    ['our reference not sent', 'references-are-on-the-wire', sending(names.creates, { reference: undefined })],
    ['the account that is paid not sent', 'golden-requests-match', sending(names.creates, { account: undefined })],
    refusedRepeat,
    [
      'the amount of the reply that makes a payout read in another currency',
      'amounts-are-read-back',
      replies(names.creates, (body) => withPlace(body, 'currency', 'EUR')),
    ],
    [
      'the amount of the reply that makes a payout read in hundredths',
      'amounts-are-read-back',
      replies(names.creates, (body) => withPlace(body, 'amount', '0.25')),
    ],
  ],
);

import {
  commonFaults,
  faultsAreCaught,
  keyOfEachSend,
  notificationFaults,
  sending,
} from '../../conformance/test/support/common-faults.ts';
import { walletPayinConnector } from '../src/index.ts';
import { walletPayinSimulation } from '../src/simulation.ts';
import { payinGoldens } from './support/payin-goldens.ts';

const names = {
  creates: /^create-transaction$/,
  lookups: /^(?:get|find)-/,
  state: 'state',
  word: 'accepted',
  rare: 'expired',
  secret: 'terminal_key',
};

faultsAreCaught(
  walletPayinConnector,
  {
    simulation: walletPayinSimulation,
    settings: {
      base_url: 'https://api.example',
      terminal_key: 'the-key-of-the-terminal',
      webhook_secret: 'a-secret-that-signs',
    },
    sessions: {
      'wallet-payin': {
        purchase: {
          session: {
            order: { currency: 'EUR' },
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
    goldens: payinGoldens,
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    keyOfEachSend('request-key'),
    ['a challenge that is not sent', 'plays-to-its-end', sending(names.creates, { challenge_id: 'ch_0' })],
    ['the payer’s address not sent', 'golden-requests-match', sending(names.creates, { billing: undefined })],
  ],
);

import {
  commonFaults,
  faultsAreCaught,
  notificationFaults,
  refusedRepeat,
  sending,
  servingOnly,
} from '../../conformance/test/support/common-faults.ts';
import { gatewayConnector } from '../src/index.ts';
import { gatewaySimulation } from '../src/simulation.ts';
import { gatewayGoldens } from './support/goldens.ts';

const names = {
  creates: /^create-withdrawal$/,
  lookups: /^get-/,
  state: 'transaction.status',
  word: 'COMPLETED',
  rare: 'CONFIRMING',
  secret: 'api_key',
};
const withdrawals = servingOnly('trading-withdrawal', gatewayConnector);

faultsAreCaught(
  // Payments have an endpoint of their own.
  { ...withdrawals, endpoints: withdrawals.endpoints.filter(({ name }) => name !== 'create-payment') },
  {
    simulation: gatewaySimulation,
    settings: {
      base_url: 'https://api.example',
      merchant_id: 'm-1',
      api_key: 'the-secret-key',
      webhook_secret: 'a-notification-secret',
    },
    sessions: {
      'trading-withdrawal': {
        credit: {
          session: { payee: { name: 'Ada Lovelace' } },
          parameters: {
            withdrawCurrency: 'BTC',
            address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
            tradingAccountLogin: '10021',
          },
        },
      },
    },
    goldens: gatewayGoldens.filter(({ endpoint }) => endpoint !== 'create-payment'),
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    refusedRepeat,
    ['our reference not sent', 'references-are-on-the-wire', sending(names.creates, { reference: undefined })],
    ['the address that is paid not sent', 'golden-requests-match', sending(names.creates, { address: undefined })],
  ],
);

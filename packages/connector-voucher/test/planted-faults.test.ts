import { pending } from '@railyard/core';
import {
  commonFaults,
  faultsAreCaught,
  refusedRepeat,
  servingOnly,
  sending,
} from '../../conformance/test/support/common-faults.ts';
import { outcomes } from '../../conformance/test/support/planted.ts';
import { voucherGatewayConnector } from '../src/index.ts';
import { voucherGatewaySimulation } from '../src/simulation.ts';
import { gatewayGoldens } from './support/gateway-goldens.ts';

const names = {
  creates: /^create-voucher$/,
  lookups: /^(?:get|find)-/,
  state: 'state',
  word: 'paid',
  rare: 'failed',
  secret: 'api_key',
};

faultsAreCaught(
  servingOnly('pin-voucher', voucherGatewayConnector),
  {
    simulation: voucherGatewaySimulation,
    settings: { base_url: 'https://api.example', api_key: 'the-api-key', api_secret: 'the-api-secret' },
    sessions: { 'pin-voucher': { purchase: { parameters: { pin: '1234567890123456' } } } },
    goldens: gatewayGoldens.filter(({ by }) => by?.method === 'pin-voucher'),
  },
  [
    ...commonFaults(names),
    ['our reference not sent', 'references-are-on-the-wire', sending(names.creates, { reference: undefined })],
    ['a PIN that is not sent', 'golden-requests-match', sending(names.creates, { pin: '0000000000000001' })],
    refusedRepeat,
    [
      'a voucher that is redeemed left as pending',
      'status-rows-decide',
      outcomes((outcome) => (outcome.status === 'settled' ? pending(outcome.providerReference) : outcome)),
    ],
  ],
);

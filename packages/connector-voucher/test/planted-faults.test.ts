import { pending } from '@railyard/core';
import {
  commonFaults,
  faultsAreCaught,
  refusedRepeat,
  servingOnly,
  sending,
} from '../../conformance/test/support/common-faults.ts';
import { outcomes } from '../../conformance/test/support/planted.ts';
import { pinVoucherConnector } from '../src/index.ts';
import { pinVoucherSimulation } from '../src/simulation.ts';
import { pinGoldens } from './support/invented-goldens.ts';

const names = {
  creates: /^redeem$/,
  lookups: /^find-/,
  state: 'status',
  word: 'REDEEMED',
  rare: 'PROCESSING',
  secret: 'api_key',
};

faultsAreCaught(
  servingOnly('pin-voucher', pinVoucherConnector),
  {
    simulation: pinVoucherSimulation,
    settings: { base_url: 'https://api.example', api_key: 'the-api-key' },
    sessions: { 'pin-voucher': { purchase: { parameters: { pin: '1234567890123456' } } } },
    goldens: pinGoldens,
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

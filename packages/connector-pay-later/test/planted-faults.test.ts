import { declined, fromDecimal, settled } from '@railyard/core';
import {
  commonFaults,
  faultsAreCaught,
  keyOfEachSend,
  notificationFaults,
  refusedRepeat,
  sending,
  servingOnly,
} from '../../conformance/test/support/common-faults.ts';
import { everyEvent, lookedUpActions, refundOutcomes } from '../../conformance/test/support/planted.ts';
import { hostedConnector } from '../src/index.ts';
import { hostedGoldens } from './support/goldens.ts';
import { hostedOptions } from './support/options.ts';

const names = {
  creates: /^create-order$/,
  lookups: /^get-order$/,
  state: 'state',
  word: 'APPROVED',
  rare: 'ABANDONED',
  secret: 'api_key',
};
const { 'pay-later': sample } = hostedOptions.sessions;
const [page] = hostedGoldens.filter(({ by }) => by?.method === 'pay-later');

faultsAreCaught(
  servingOnly('pay-later', hostedConnector),
  {
    ...hostedOptions,
    sessions: { 'pay-later': sample },
    // Those of other methods are left out with them.
    goldens: hostedGoldens.filter((golden) => golden === page || golden.by?.method === undefined),
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    keyOfEachSend('x-request-id'),
    refusedRepeat,
    [
      'facts about the buyer that are not sent',
      'golden-requests-match',
      sending(names.creates, { details: undefined }),
    ],
    [
      'a refund that is not reported',
      'refunds-are-reported-as-refunds',
      everyEvent((all) => all.filter(({ kind }) => kind !== 'refund')),
    ],
    [
      'a refund that is pending taken for one that is made',
      'modifications-stay-pending',
      refundOutcomes((outcome) =>
        outcome.status === 'pending' ? settled(outcome.providerReference, fromDecimal('25.00', 'IDR')) : outcome,
      ),
    ],
    [
      'a refund that is not found taken for a declined one',
      'refused-repeat-in-modifications',
      lookedUpActions((outcome) => (outcome.status === 'unknown' ? declined('hard', 'not_completed') : outcome)),
    ],
  ],
);

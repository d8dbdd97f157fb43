import {
  commonFaults,
  faultsAreCaught,
  notificationFaults,
  refusedRepeat,
  sending,
} from '../../conformance/test/support/common-faults.ts';
import { outcomes, withdrawals } from '../../conformance/test/support/planted.ts';
import { type Connector, declined } from '@railyard/core';
import { bcbConnector, instantConnector, payerIdConnector } from '../src/index.ts';
import { sampleNotification } from '../src/payer-id.samples.ts';
import { bcbSimulation, instantSimulation, payerIdSimulation } from '../src/simulation.ts';
import { bcbGoldens } from './bcb-goldens.ts';
import { instantGoldens } from './goldens.ts';

const names = {
  creates: /^create-(?:charge|payout)$/,
  lookups: /^(?:get|find)-/,
  state: 'status',
  word: 'PAID',
  rare: 'CANCELLED',
  secret: 'api_key',
};

faultsAreCaught(
  instantConnector,
  {
    simulation: instantSimulation,
    settings: {
      base_url: 'https://api.example',
      api_key: 'the-api-key',
      webhook_secret: 'the-webhook-secret',
    },
    sessions: {
      pix: {
        purchase: {
          parameters: {
            fine: '1.00',
            type_fine: 'VALUE',
            type_document: 'CPF',
            debtor_document: '52998224725',
            debtor_name: 'Maria Silva',
          },
        },
        credit: {
          parameters: { key: 'fulano@example.com', source_account_number: '12345', branch_identifier: '0001' },
        },
      },
    },
    goldens: instantGoldens,
  },
  [
    ...commonFaults(names),
    ...notificationFaults,
    refusedRepeat,
    ['our reference not sent', 'references-are-on-the-wire', sending(/^create-charge$/, { external_id: undefined })],
    [
      'a life of our own counted from the clock of the provider',
      'reply-clocks-off',
      outcomes((outcome) => {
        const until = outcome.status === 'pending' ? outcome.show?.validUntil : undefined;
        if (until === undefined || outcome.status !== 'pending' || outcome.show === undefined) return outcome;
        const validUntil = new Date(Date.parse(until) + 60_000).toISOString();
        return { ...outcome, show: { ...outcome.show, validUntil } };
      }),
    ],
    [
      'an end with the offset of the provider',
      'ends-are-in-utc',
      outcomes((outcome) => {
        const until = outcome.status === 'pending' ? outcome.show?.validUntil : undefined;
        if (until === undefined || outcome.status !== 'pending' || outcome.show === undefined) return outcome;
        return { ...outcome, show: { ...outcome.show, validUntil: until.replace('Z', '+00:00') } };
      }),
    ],
    ['a debtor who is not sent', 'golden-requests-match', sending(/^create-charge$/, { debtor_document: undefined })],
  ],
);

const removed = declined('hard', 'cancelled');

faultsAreCaught(
  bcbConnector,
  {
    simulation: bcbSimulation,
    goldens: bcbGoldens,
    settings: {
      base_url: 'https://api.example',
      oauth_url: 'https://oauth.example/oauth',
      client_id: 'the-client',
      client_secret: 'the-client-secret',
      chave: 'loja@example.com',
      certificate: 'the-certificate',
      certificate_key: 'the-certificate-key',
      ca: 'the-authority',
    },
    sessions: {
      'pix-charge': {
        purchase: {
          parameters: {
            devedor_documento: '52998224725',
            devedor_nome: 'Maria Silva',
            solicitacaoPagador: 'Your membership number?',
          },
        },
      },
    },
  },
  [
    [
      'a charge that is told as removed without a call',
      'withdrawn-payments-cannot-be-paid',
      withdrawals(
        () =>
          function* () {
            yield* [];
            return removed;
          },
      ),
    ],
    [
      'a charge that was paid first told as removed',
      'withdrawn-payments-cannot-be-paid',
      withdrawals(
        (own) =>
          function* (context) {
            yield* own(context);
            return removed;
          },
      ),
    ],
  ],
);

/** A token of the account in a header, as the documentation would show it. */
const token = 'a-token-of-twenty-c';
const shown = {
  headers: { 'x-notification-token': token },
  body: JSON.stringify(sampleNotification),
  settings: { notification_token: token },
  source: 'our own, written by hand',
};

const provenBy = (header: string, { notifications, ...connector }: Connector): Connector =>
  notifications?.verify.scheme === 'shared-secret'
    ? {
        ...connector,
        notifications: { ...notifications, verify: { ...notifications.verify, header }, vectors: [shown] },
      }
    : connector;

faultsAreCaught(
  provenBy('x-notification-token', payerIdConnector),
  {
    simulation: payerIdSimulation,
    settings: {
      base_url: 'https://api.example',
      client_id: 'the-client',
      client_secret: 'the-client-secret',
      notification_token: token,
    },
    sessions: { 'pix-document': { purchase: { parameters: { document_number: '529.982.247-25' } } } },
  },
  [
    [
      'the token of notifications read from another header',
      'notification-proofs-are-vectors',
      (connector) => provenBy('x-token', connector),
    ],
  ],
);

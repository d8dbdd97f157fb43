import { providerApi } from '@railyard/core';
import { isError, isTaken, problem, transaction } from './replies.ts';
import { type Settings, settings } from './settings.ts';

/** Where the narrative provider's exchanges are written down. */
export const source = 'packages/connector-mobile-money/README.md, Narrative provider';
const { endpoint } = providerApi(settings, { source });

export const sampleTransaction = {
  Status: 'OK',
  StatusCode: '0',
  TransactionStatus: 'PENDING',
  TransactionReference: 'T7d0f3a52',
  Amount: '5000',
  CurrencyCode: 'UGX',
};
export const unknownOne = {
  Response: { Status: 'ERROR', StatusCode: '404', StatusMessage: 'There is no such transaction.' },
};

const visible = [
  'Request.Method',
  'Request.Amount',
  'Request.ExternalReference',
  'Response.Status',
  'Response.StatusCode',
  'Response.TransactionStatus',
  'Response.TransactionReference',
  'Response.Amount',
  'Response.CurrencyCode',
];

const request = ({ username, password }: Settings, fields: Readonly<Record<string, string | undefined>>) => ({
  xml: { Request: { APIUsername: username, APIPassword: password, ...fields } },
});

/** The provider is asked by our reference: it has no lookup by its own. */
export const findTransaction = endpoint({
  name: 'find-transaction',
  method: 'POST',
  path: '/transactions/check',
  repeat: 'safe',
  codec: 'xml',
  request: (reference: string, { settings }) =>
    request(settings, { Method: 'CheckTransaction', ExternalReference: reference }),
  replies: {
    found: { status: 200, where: isTaken, body: transaction },
    absent: { status: 200, where: isError, body: problem },
  },
  examples: [
    {
      is: 'found',
      status: 200,
      body: { Response: { ...sampleTransaction, TransactionStatus: 'SUCCEEDED' } },
      source,
    },
    { is: 'absent', status: 200, body: unknownOne, source },
  ],
  visible,
});

export interface DepositInput {
  /** Whole shillings. */
  readonly Amount: string;
  /** Digits with the calling code. */
  readonly Account: string;
  readonly AccountProviderCode: string | undefined;
  readonly Narrative: string;
  readonly NarrativeFileName: string | undefined;
  readonly NarrativeFileBase64: string | undefined;
  readonly ProviderReferenceText: string | undefined;
  readonly ExternalReference: string;
  readonly NotificationUrl: string;
}

/** The provider takes an `ExternalReference` once, so a request without a reply is looked up by it. */
export const createDeposit = endpoint({
  name: 'create-deposit',
  method: 'POST',
  path: '/deposits',
  repeat: 'by-reference',
  codec: 'xml',
  request: (input: DepositInput, { settings }) => request(settings, { Method: 'Deposit', ...input, Currency: 'UGX' }),
  find: {
    endpoint: findTransaction,
    input: ({ ExternalReference }) => ExternalReference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: {
    created: { status: 200, where: isTaken, body: transaction },
    refused: { status: 200, where: isError, refuses: true, body: problem },
  },
  examples: [
    { is: 'created', status: 200, body: { Response: sampleTransaction }, source },
    {
      is: 'refused',
      status: 200,
      body: { Response: { Status: 'ERROR', StatusCode: '-9', StatusMessage: 'The account is not known.' } },
      source,
    },
  ],
  visible,
});

export const endpoints = [createDeposit, findTransaction];

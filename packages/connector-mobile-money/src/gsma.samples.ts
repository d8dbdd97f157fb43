/** A request that was taken, with the fields that the description requires. */
export const sampleState = {
  serverCorrelationId: '2e9ce6e1-8bbc-4938-9274-418c28e78f80',
  status: 'pending',
  notificationMethod: 'callback',
  objectReference: 'REF-1635488317033',
  pollLimit: 100,
};

export const sampleTransaction = {
  transactionReference: 'REF-1635488317033',
  requestingOrganisationTransactionReference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  creditParty: [{ key: 'accountid', value: '2999' }],
  debitParty: [{ key: 'msisdn', value: '+254712345678' }],
  type: 'merchantpay',
  transactionStatus: 'completed',
  amount: '25',
  currency: 'KES',
};

export const sampleReversal = {
  transactionReference: 'REF-1635488317034',
  originalTransactionReference: sampleTransaction.transactionReference,
  requestingOrganisationTransactionReference: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01',
  type: 'reversal',
  transactionStatus: 'completed',
  amount: '25',
  currency: 'KES',
};

/** A reversal in the list of an account's transactions. */
export const sampleListedReversal = {
  ...sampleReversal,
  creditParty: sampleTransaction.debitParty,
  debitParty: sampleTransaction.creditParty,
};

/** As many as a page holds at the most. */
export const samplePage = Array.from({ length: 50 }, (_, index) => ({
  ...sampleListedReversal,
  transactionReference: `REF-${1635488317034 + index}`,
}));

export const sampleResponse = { link: '/transactions/REF-1635488317033' };
/** Also a link to a state, and one to neither. */
export const sampleLinks = [
  sampleResponse,
  { link: `/requeststates/${sampleState.serverCorrelationId}` },
  { link: '/heartbeat' },
];

const problem = (errorCategory: string, errorCode: string, errordescription: string) => ({
  errorCategory,
  errorCode,
  errordescription,
});

export const sampleAbsent = problem('identification', 'identifierError', 'There is no such resource.');
export const sampleRefusal = problem('businessRule', 'insufficientFunds', 'There is not enough money.');
export const sampleUnmoved = { ...sampleRefusal, errorCode: 'incorrectState' };
export const sampleFailed = { ...sampleState, status: 'failed', error: sampleRefusal };
export const sampleDuplicate = problem('businessRule', 'duplicateRequest', 'The request was sent before.');

const AT = 1_735_689_600;
const STORE = '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776';
const ORDER = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

export const sampleInvoice = {
  id: 'HMprBnL9BTXWuPvpoKBS6e',
  storeId: STORE,
  amount: '25.00',
  paidAmount: '0.00',
  currency: 'EUR',
  type: 'Standard',
  checkoutLink: 'https://btcpay.example/i/HMprBnL9BTXWuPvpoKBS6e',
  createdTime: AT,
  expirationTime: AT + 900,
  monitoringExpiration: AT + 87_300,
  status: 'New',
  additionalStatus: 'None',
  availableStatusesForManualMarking: ['Settled', 'Invalid'],
  archived: false,
  metadata: { orderId: ORDER, itemDesc: 'Two books' },
};

/** Its server still watches its address. */
export const sampleExpired = { ...sampleInvoice, status: 'Expired', monitoringExpiration: 2_114_380_800 };

export const samplePayment = {
  id: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16-0',
  receivedDate: AT + 60,
  value: '0.00025',
  fee: '0',
  status: 'Settled',
  destination: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
};

export const sampleMethod = {
  paymentMethodId: 'BTC-CHAIN',
  currency: 'BTC',
  destination: samplePayment.destination,
  paymentLink: `bitcoin:${samplePayment.destination}?amount=0.00025`,
  rate: '100000.00',
  paymentMethodPaid: '0',
  totalPaid: '0',
  due: '0.00025',
  amount: '0.00025',
  paymentMethodFee: '0',
  payments: [],
  activated: true,
  additionalData: { payjoinEnabled: false },
};
export const samplePaidMethod = { ...sampleMethod, due: '0', totalPaid: '0.00025', payments: [samplePayment] };

export const sampleSeenMethod = { ...samplePaidMethod, payments: [{ ...samplePayment, status: 'Processing' }] };
/** Of an invoice over nothing. */
export const sampleFreeMethod = { ...samplePaidMethod, amount: '0' };

export const samplePayout = {
  id: 'd2a7f6c6-6f3a-4d0d-8a4d-f0b1a2c3d4e5',
  revision: 0,
  date: String(AT),
  destination: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  originalCurrency: 'BTC',
  originalAmount: '0.25000000',
  payoutCurrency: 'BTC',
  payoutAmount: '0.25000000',
  payoutMethodId: 'BTC-CHAIN',
  state: 'AwaitingPayment',
  metadata: { source: ORDER },
};

export const samplePullPayment = {
  id: '3rTsYVCSRkbGEX2VB2UYb2PBMtkN',
  name: 'Refund 5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01',
  description: '',
  currency: 'EUR',
  amount: '25.00',
  autoApproveClaims: true,
  archived: false,
  viewLink: 'https://btcpay.example/pull-payments/3rTsYVCSRkbGEX2VB2UYb2PBMtkN',
};
export const sampleClaim = {
  ...samplePayout,
  pullPaymentId: samplePullPayment.id,
  originalCurrency: 'EUR',
  originalAmount: '25.00',
  payoutAmount: '0.00025000',
  state: 'Completed',
};

export const sampleProblem = { code: 'duplicate-destination', message: 'This destination is used by another payout.' };
export const sampleAbsent = { code: 'invoice-not-found', message: 'The invoice was not found.' };
export const sampleInvalid = [{ path: 'amount', message: 'The amount should be positive.' }];

const delivery = {
  deliveryId: 'FPzmNwEDvDTdGYXjRK4pYJ',
  webhookId: 'SvHpM3RtUjYRzjYnqBHVkz',
  originalDeliveryId: 'FPzmNwEDvDTdGYXjRK4pYJ',
  isRedelivery: false,
  timestamp: AT + 600,
};
export const sampleSettled = {
  ...delivery,
  type: 'InvoiceSettled',
  storeId: STORE,
  invoiceId: sampleInvoice.id,
  metadata: sampleInvoice.metadata,
  manuallyMarked: false,
  overPaid: false,
};
/** The description of this event has these three fields alone. */
export const samplePayoutUpdated = { payoutId: samplePayout.id, pullPaymentId: null, payoutState: 'Completed' };

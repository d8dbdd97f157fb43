import { capturePayment, refundPayment, reverseAuthorization, voidPayment } from './action-endpoints.ts';
import {
  authorizeAgreement,
  chargeAgreement,
  completePayment,
  createAuthorization,
  createDebit,
  createPayout,
  createSale,
  createTransfer,
  createVerification,
  createWalletPayment,
} from './create-endpoints.ts';
import { findAction, findPayment, getAction, getPayment } from './lookup-endpoints.ts';

/** Everything that the acquirer is asked. */
export const endpoints = [
  createSale,
  createAuthorization,
  createDebit,
  createVerification,
  createPayout,
  createTransfer,
  createWalletPayment,
  completePayment,
  chargeAgreement,
  authorizeAgreement,
  capturePayment,
  voidPayment,
  reverseAuthorization,
  refundPayment,
  getPayment,
  findPayment,
  getAction,
  findAction,
];

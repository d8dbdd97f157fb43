export { conektaConnector } from './conekta.ts';
export { cashVoucher, pinVoucher, spei, voucherRedirect } from './methods.ts';
export { pinVoucherConnector } from './pin.ts';
export { redirectVoucherConnector } from './redirect.ts';

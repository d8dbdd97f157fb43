export { conektaConnector } from './conekta.ts';
export { voucherGatewayConnector } from './gateway.ts';
export { cashReference, cashTicket, cashVoucher, pinVoucher, spei, voucherRedirect } from './methods.ts';
export { referenceVoucherConnector } from './reference.ts';

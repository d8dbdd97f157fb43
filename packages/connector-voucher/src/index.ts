export { conektaConnector } from './conekta.ts';
export { cashReference, cashTicket, cashVoucher, pinVoucher, spei, voucherRedirect } from './methods.ts';
export { pinVoucherConnector } from './pin.ts';
export { redirectVoucherConnector } from './redirect.ts';
export { referenceVoucherConnector } from './reference.ts';
export { ticketVoucherConnector } from './ticket.ts';

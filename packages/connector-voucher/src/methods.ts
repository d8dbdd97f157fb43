export { cashReference } from './methods/cash-reference.ts';
export { cashTicket } from './methods/cash-ticket.ts';
export { cashVoucher } from './methods/cash-voucher.ts';
export { pinVoucher } from './methods/pin-voucher.ts';
export { spei } from './methods/spei.ts';
export { voucherRedirect } from './methods/voucher-redirect.ts';

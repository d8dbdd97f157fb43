export { cashVoucher } from './methods/cash-voucher.ts';
export { spei } from './methods/spei.ts';

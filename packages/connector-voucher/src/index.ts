export { conektaConnector } from './conekta.ts';
export { cashVoucher, spei } from './methods.ts';

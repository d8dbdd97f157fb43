export { cashWalletDeposit } from './methods/cash-wallet-deposit.ts';
export { documentRedirect, documentRedirectAlt, documentRedirectTyped } from './methods/ids.ts';
export { app, paymentDetails, qr, widget } from './methods/plain.ts';
export { redirect } from './methods/redirect.ts';
export { walletPayin } from './methods/wallet-payin.ts';

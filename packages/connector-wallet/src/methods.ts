export { cashWalletDeposit } from './methods/cash-wallet-deposit.ts';
export {
  countryFields,
  documentRedirect,
  documentRedirectAlt,
  documentRedirectTyped,
  memberRedirect,
} from './methods/ids.ts';
export { linkPayout } from './methods/link-payout.ts';
export { upiPersonal, upiPersonalAlt, walletCo, walletVnA, walletVnB, walletVnC } from './methods/personal.ts';
export { app, paymentDetails, qr, widget } from './methods/plain.ts';
export { redirect, walletVipps } from './methods/redirect.ts';
export { walletPayin } from './methods/wallet-payin.ts';
export { linkEmail, linkSms, phonePrompt, phoneWallet, upi, upiAddress } from './methods/requests.ts';

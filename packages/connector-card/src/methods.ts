export { cardRedirect, cardRedirectAlt } from './methods/card-redirect.ts';
export { cardHosted } from './methods/card-hosted.ts';
export { card } from './methods/card.ts';
export { applePay, googlePay } from './methods/digital-wallets.ts';

export { acquirerConnector } from './acquirer.ts';
export { cardLimits } from './limits.ts';
export { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from './methods.ts';

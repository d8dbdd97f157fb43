export { acquirerConnector } from './acquirer/connector.ts';
export { cardLimits } from './limits.ts';
export { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from './methods.ts';

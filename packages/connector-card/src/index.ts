export { acquirerConnector } from './acquirer.ts';
export { adyenConnector } from './adyen.ts';
export { stripeConnector } from './stripe.ts';
export { cardLimits } from './limits.ts';
export { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from './methods.ts';

export { acquirerConnector } from './acquirer.ts';
export { adyenConnector } from './adyen.ts';
export { govukPayConnector } from './govuk-pay.ts';
export { stripeConnector } from './stripe.ts';
export { cardLimits } from './limits.ts';
export { applePay, card, cardHosted, cardRedirect, cardRedirectAlt, googlePay } from './methods.ts';

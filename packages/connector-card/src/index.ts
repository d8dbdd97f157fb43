export { acquirerConnector } from './acquirer/connector.ts';
export { cardLimits } from './limits.ts';
export { card, cardRedirect, cardRedirectAlt } from './methods.ts';

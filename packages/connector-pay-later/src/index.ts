export { hostedConnector } from './hosted.ts';
export { hostedPaymentId, payLater, payLaterBasket } from './methods.ts';
export { SUB_PROVIDERS } from './sub-providers.ts';

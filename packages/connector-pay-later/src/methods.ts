export { hostedPaymentId } from './methods/hosted-payment-id.ts';
export { payLaterBasket } from './methods/pay-later-basket.ts';
export { payLater } from './methods/pay-later.ts';

export { redirect } from './methods.ts';
export { paypalConnector } from './paypal.ts';

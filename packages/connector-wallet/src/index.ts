export { walletGatewayConnector } from './gateway.ts';
export { redirect } from './methods.ts';
export { paypalConnector } from './paypal.ts';

export { walletGatewayConnector } from './gateway.ts';
export { redirect } from './methods.ts';
export { paypalConnector } from './paypal.ts';
export { signedDepositConnector } from './signed-deposit.ts';

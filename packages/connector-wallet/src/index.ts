export { walletGatewayConnector } from './gateway.ts';
export { linkPayoutConnector } from './link-payout.ts';
export { redirect } from './methods.ts';
export { walletPayinConnector } from './payin.ts';
export { paypalConnector } from './paypal.ts';
export { signedDepositConnector } from './signed-deposit.ts';

export { walletGatewayConnector } from './gateway.ts';
export { linkPayoutConnector } from './link-payout.ts';
export { redirect, walletVipps } from './methods.ts';
export { paypalConnector } from './paypal.ts';
export { signedDepositConnector } from './signed-deposit.ts';
export { vippsConnector } from './vipps.ts';

export { walletGatewaySimulation } from './gateway.simulation.ts';
export { linkPayoutSimulation } from './link-payout.simulation.ts';
export { paypalSimulation } from './paypal.simulation.ts';
export { signedDepositSimulation } from './signed-deposit.simulation.ts';
export { vippsSimulation } from './vipps.simulation.ts';

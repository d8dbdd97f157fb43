export { walletGatewaySimulation } from './gateway.simulation.ts';
export { paypalSimulation } from './paypal.simulation.ts';
export { signedDepositSimulation } from './signed-deposit.simulation.ts';

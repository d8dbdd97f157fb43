export { addressesSimulation } from './addresses.simulation.ts';
export { gatewaySimulation } from './gateway.simulation.ts';
export { btcpaySimulation } from './btcpay.simulation.ts';

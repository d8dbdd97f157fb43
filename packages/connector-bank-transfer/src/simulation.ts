export { bankCollectionSimulation } from './collection.simulation.ts';
export { bankGatewaySimulation } from './gateway.simulation.ts';
export { bankIpsSimulation } from './ips.simulation.ts';
export { bankPayoutSimulation } from './payout.simulation.ts';

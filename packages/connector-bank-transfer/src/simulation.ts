export { bankCollectionSimulation } from './collection.simulation.ts';
export { bankGatewaySimulation } from './gateway.simulation.ts';

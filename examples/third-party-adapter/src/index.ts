export { acmePixConnector } from './connector.ts';
export { acmePixSimulation } from './simulation.ts';

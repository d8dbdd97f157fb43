export { acmePixConnector } from './acme-pix.ts';
export { acmePixSimulation } from './acme-pix.simulation.ts';

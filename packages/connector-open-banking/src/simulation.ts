export { gatewaySimulation } from './gateway.simulation.ts';
export { initiationSimulation } from './initiation.simulation.ts';

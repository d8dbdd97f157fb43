export { gatewaySimulation } from './gateway.simulation.ts';
export { initiationSimulation } from './initiation.simulation.ts';
export { obUkSimulation } from './ob-uk.simulation.ts';

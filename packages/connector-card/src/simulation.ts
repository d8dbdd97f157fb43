export { acquirerSimulation } from './acquirer.simulation.ts';

export { instantSimulation } from './instant/simulation.ts';

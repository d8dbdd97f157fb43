export { hostedSimulation } from './hosted.simulation.ts';

export { conektaSimulation } from './conekta.simulation.ts';

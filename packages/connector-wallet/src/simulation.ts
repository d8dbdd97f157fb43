export { paypalSimulation } from './paypal.simulation.ts';

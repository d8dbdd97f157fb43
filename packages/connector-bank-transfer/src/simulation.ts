export { bankCollectionSimulation } from './collection.simulation.ts';

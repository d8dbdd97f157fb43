export { bcbSimulation } from './bcb.simulation.ts';
export { collectionSimulation } from './collection.simulation.ts';
export { instantSimulation } from './instant.simulation.ts';
export { payerIdSimulation } from './payer-id.simulation.ts';

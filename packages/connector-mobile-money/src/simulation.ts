export { gsmaSimulation } from './gsma.simulation.ts';
export { hubSimulation } from './hub.simulation.ts';
export { narrativeSimulation } from './narrative.simulation.ts';
export { promptSimulation } from './prompt.simulation.ts';
export { paystackSimulation } from './paystack.simulation.ts';

export { conektaSimulation } from './conekta.simulation.ts';
export { voucherGatewaySimulation } from './gateway.simulation.ts';
export { referenceVoucherSimulation } from './reference.simulation.ts';

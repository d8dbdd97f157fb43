export { conektaSimulation } from './conekta.simulation.ts';
export { pinVoucherSimulation } from './pin.simulation.ts';
export { redirectVoucherSimulation } from './redirect.simulation.ts';
export { referenceVoucherSimulation } from './reference.simulation.ts';
export { ticketVoucherSimulation } from './ticket.simulation.ts';

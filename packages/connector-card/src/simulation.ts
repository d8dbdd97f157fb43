export { acquirerSimulation } from './acquirer.simulation.ts';
export { adyenSimulation } from './adyen.simulation.ts';
export { govukPaySimulation } from './govuk-pay.simulation.ts';
export { stripeSimulation } from './stripe.simulation.ts';

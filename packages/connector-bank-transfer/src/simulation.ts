export { bankBeneficiarySimulation } from './beneficiary.simulation.ts';
export { bankCollectionSimulation } from './collection.simulation.ts';
export { bankDepositSimulation } from './deposit.simulation.ts';
export { bankGatewaySimulation } from './gateway.simulation.ts';
export { bankIpsSimulation } from './ips.simulation.ts';
export { bankPayoutSimulation } from './payout.simulation.ts';

export { bankBeneficiaryConnector } from './beneficiary.ts';
export { bankCollectionConnector } from './collection.ts';
export { bankDepositConnector } from './deposit.ts';
export { bankGatewayConnector } from './gateway.ts';
export { bankIpsConnector } from './ips.ts';
export { bankPayoutConnector } from './payout.ts';

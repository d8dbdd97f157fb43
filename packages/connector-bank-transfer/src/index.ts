export { bankCollectionConnector } from './collection.ts';
export { bankGatewayConnector } from './gateway.ts';
export { bankIpsConnector } from './ips.ts';
export { bankPayoutConnector } from './payout.ts';

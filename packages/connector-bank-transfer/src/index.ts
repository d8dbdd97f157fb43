export { bankCollectionConnector } from './collection.ts';
export { bankGatewayConnector } from './gateway.ts';

export { bankCollectionConnector } from './collection.ts';

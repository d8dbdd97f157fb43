export { collectionConnector } from './collection/connector.ts';
export { instantConnector } from './instant/connector.ts';
export { pixLimits } from './limits.ts';
export { pix, pixCollection, pixDocument, pixPersonal } from './methods.ts';
export { payerIdConnector } from './payer-id/connector.ts';

export { bcbConnector } from './bcb.ts';
export { collectionConnector } from './collection.ts';
export { instantConnector } from './instant.ts';
export { pixLimits } from './limits.ts';
export { pix, pixCharge, pixCollection, pixDocument, pixPersonal } from './methods.ts';
export { payerIdConnector } from './payer-id.ts';

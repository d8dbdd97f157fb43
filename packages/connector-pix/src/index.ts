export { instantConnector } from './instant/connector.ts';
export { pixLimits } from './limits.ts';
export { pix, pixCollection, pixDocument, pixPersonal } from './methods.ts';

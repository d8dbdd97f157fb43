export { pixCharge } from './methods/pix-charge.ts';
export { pixCollection } from './methods/pix-collection.ts';
export { pixDocument } from './methods/pix-document.ts';
export { pixPersonal } from './methods/pix-personal.ts';
export { pix } from './methods/pix.ts';

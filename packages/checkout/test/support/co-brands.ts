import type { MerchantChange } from './card-config.ts';
import { CARD } from './card-service.ts';

/** A number of Cartes Bancaires and Visa, as docs.adyen.com (Test card numbers) has it. */
export const CO_BRANDED = '4035501000000008';

/** A merchant who prefers Cartes Bancaires for these cards. */
export const CO_BRANDS: MerchantChange = {
  coBrands: [{ from: '40355010', to: '40355019', brands: ['cartes_bancaires', 'visa'] }],
  callbackData: ['brand'],
};

export const CO_BRANDED_CARD = { ...CARD, 'card.number': CO_BRANDED };

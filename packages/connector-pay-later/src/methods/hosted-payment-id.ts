import { defineMethod, field, type FieldInfo, publicUrl, wholeNumber } from '@railyard/core';
import * as z from 'zod';
import { needing, type ProductField, SUB_PROVIDER_NAMES } from '../sub-providers.ts';
import { productText } from './product.ts';

/** Required where the account's sub-provider needs it; elsewhere it may be sent, and goes to the provider as it is. */
const product = <S extends z.ZodType>(name: ProductField, schema: S, info: FieldInfo): S =>
  field(schema, { ...info, when: { path: 'parameters.sub_provider', in: needing(name) } });

/**
 * Hosted payment in Indonesia (2-methods.md, Indonesian hosted payment): the payer pays on the provider's page, in one of several ways of
 * its sub-providers.
 *
 * @example { parameters: { 'hosted-payment-id': { product_name: 'Two books', product_quantity: 2 } } }
 */
export const hostedPaymentId = defineMethod({
  key: 'hosted-payment-id',
  title: { en: 'Hosted payment (Indonesia)', pt: 'Pagamento hospedado (Indonésia)' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        sub_provider: field(z.enum(SUB_PROVIDER_NAMES), {
          label: 'Sub-provider of the account',
          help: 'It decides which product fields are required; none unless given.',
          sources: ['mid'],
          request: false,
        }).optional(),
        product_reference_id: product('product_reference_id', productText(64), {
          label: 'Reference of the product',
          example: 'ref-1',
        }),
        product_name: product('product_name', productText(255), { label: 'Name of the product', example: 'Two books' }),
        // Four digits; of none there is nothing to pay for.
        product_quantity: product('product_quantity', wholeNumber(1, 9999), {
          label: 'Number of pieces',
          help: '1 to 9999.',
          example: '2',
        }),
        product_sku: product('product_sku', productText(), { label: 'Stock number of the product', example: 'BK-2' }),
        product_category: product('product_category', productText(), {
          label: 'Category of the product',
          example: 'Books',
        }),
        product_url: product('product_url', publicUrl({ http: true }), {
          label: 'Address of the product',
          example: 'https://shop.example/books/2',
        }),
        product_image_url: product('product_image_url', publicUrl({ http: true }), {
          label: 'Address of the product’s picture',
          example: 'https://shop.example/books/2.png',
        }),
        product_type: product('product_type', productText(), { label: 'Kind of product', example: 'physical' }),
      }),
      completion: ['redirect'],
    },
  },
  currencies: ['IDR'],
  countries: ['ID'],
});

/**
 * The sub-providers of the Indonesian hosted payment, and the product fields that each needs. The protocol says that there are some
 * (2-methods.md, Indonesian hosted payment); which field goes with which comes from its older public release, without their names.
 */
export const SUB_PROVIDERS = {
  S1: ['product_reference_id', 'product_name', 'product_quantity', 'product_sku', 'product_category', 'product_url'],
  S2: ['product_reference_id', 'product_quantity', 'product_sku', 'product_category'],
  S3: [
    'product_reference_id',
    'product_name',
    'product_quantity',
    'product_sku',
    'product_category',
    'product_url',
    'product_image_url',
    'product_type',
  ],
  S4: ['product_name', 'product_quantity'],
} as const;

export type SubProvider = keyof typeof SUB_PROVIDERS;
export type ProductField = (typeof SUB_PROVIDERS)[SubProvider][number];

export const SUB_PROVIDER_NAMES = ['S1', 'S2', 'S3', 'S4'] as const satisfies readonly SubProvider[];

/** The sub-providers that need a field. */
export const needing = (name: ProductField): readonly SubProvider[] =>
  SUB_PROVIDER_NAMES.filter((each) => SUB_PROVIDERS[each].some((needed) => needed === name));

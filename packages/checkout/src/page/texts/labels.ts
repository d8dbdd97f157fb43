/** The fields that the page has labels for: the session fields that methods ask the payer for, and a card's fields. */
const LABELLED = [
  'order.amount',
  'customer.name',
  'customer.email',
  'customer.birth_date',
  'billing_address.country',
  'billing_address.state',
  'billing_address.city',
  'billing_address.address',
  'billing_address.zip',
  'billing_address.phone',
  'card.number',
  'card.brand',
  'card.expiry',
  'card.cvv',
  'card.name',
  'card.payee',
] as const;

type Labelled = (typeof LABELLED)[number];

/** The labels in one language, and the hint for the date of a card. */
export interface Labels {
  readonly fields: Readonly<Record<Labelled, string>>;
  readonly expiryHint: string;
}

export const isLabelled = (name: string): name is Labelled => LABELLED.some((each) => each === name);

const money = { livemode: false, created_at: 1763726400, currency: 'MXN' };
const list = { object: 'list', has_more: false };

export const sampleCash = {
  object: 'cash_payment',
  type: 'cash',
  reference: '93000262276908',
  barcode_url: 'https://barcodes.example/93000262276908.png',
  expires_at: 1766318400,
};

/** A CLABE has 18 digits. */
export const sampleTransfer = {
  object: 'bank_transfer_payment',
  type: 'spei',
  clabe: '646180111805034237',
  bank: 'STP',
  receiving_account_holder_name: 'Example Company SA de CV',
  expires_at: 1766318400,
};

const sampleUnrefunded = {
  ...money,
  object: 'charge',
  id: '67c72196e777ac0001f2140c',
  order_id: 'ord_2xayxSvfWzQ2TLz7r',
  status: 'pending_payment',
  amount: 1000,
  reference_id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  payment_method: sampleCash,
};
export const sampleCharge = { ...sampleUnrefunded, refunds: { ...list, data: [] } };

/** An order of one charge, with the fields that the description requires and those that the connector reads. */
export const orderWith = (charge: object, more: object = {}) => ({
  ...money,
  object: 'order',
  id: 'ord_2xayxSvfWzQ2TLz7r',
  charges: { ...list, data: [charge] },
  amount: 1000,
  amount_refunded: 0,
  ...more,
});

export const sampleOrder = orderWith(sampleCharge);
export const sampleTransferOrder = orderWith({ ...sampleCharge, payment_method: sampleTransfer });
/** The description requires no details of how a charge is paid, and no holder of an account. */
export const sampleBare = { ...sampleCharge, payment_method: undefined };
export const sampleBareOrder = orderWith(sampleBare);
export const sampleHolderless = orderWith({
  ...sampleCharge,
  payment_method: { ...sampleTransfer, receiving_account_holder_name: null },
});
export const sampleCanceled = orderWith({ ...sampleCharge, status: 'canceled' });
export const samplePaid = orderWith({ ...sampleCharge, status: 'paid' });

export const sampleRefund = {
  object: 'refund',
  id: '6407b5bee1329a000175ba11',
  amount: -1000,
  created_at: 1763726700,
  status: 'pending',
};

export const sampleRefunded = orderWith(
  { refunds: { ...list, data: [sampleRefund] }, ...sampleUnrefunded, status: 'refunded' },
  { amount_refunded: 1000 },
);

/** Another refund of the same amount was made at the same time. */
export const sampleTwiceRefunded = orderWith(
  {
    refunds: { ...list, data: [sampleRefund, { ...sampleRefund, id: '6407b5bee1329a000175ba12' }] },
    ...sampleUnrefunded,
    status: 'refunded',
  },
  { amount_refunded: 2000 },
);

export const sampleCharges = { ...list, data: [sampleCharge] };
export const sampleBareCharges = { ...list, data: [sampleBare] };
export const sampleNoCharges = { ...list, data: [] };

const error = (type: string, code: string, message: string) => ({
  object: 'error',
  type,
  details: [{ code, message }],
  log_id: '641b6d813cd9a50001515017',
});

export const sampleAbsent = error(
  'resource_not_found_error',
  'conekta.errors.resource_not_found.entity',
  'The resource was not found.',
);
/** The description's example of a 428. */
export const sampleNotCanceled = error(
  'precondition_required_error',
  'conekta.errors.precondition_required.combo.order.cannot_be_updated_because_has_charge',
  'The order cannot be modified because it has already a charge which is pending payment.',
);
export const sampleRefusal = error(
  'parameter_validation_error',
  'conekta.errors.parameter_validation.whitelist',
  'The parameter is not allowed.',
);

/** Field names as developers.conekta.com/docs/order shows them. */
export const sampleNotification = { type: 'order.paid', data: { object: samplePaid } };
/** Of a customer, a plan and the like. */
export const sampleOther = { type: 'customer.created', data: { object: { object: 'customer' } } };

import { statements } from './statements.ts';

/** A merchant whose test system lets callbacks wait must not pause those of another merchant to the same address. */
export const addressesOfMerchants = statements([
  `DELETE FROM callback_addresses`,
  `ALTER TABLE callback_addresses DROP CONSTRAINT callback_addresses_pkey, ADD COLUMN merchant_key text NOT NULL,
    ADD PRIMARY KEY (merchant_key, url)`,
]);

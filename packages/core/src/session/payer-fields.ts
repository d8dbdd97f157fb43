import { TEXTS } from '../issues/texts.ts';
import { countryCode, day, email, personName, phone, text } from './fields.ts';

/**
 * The fields of a payer that a session has, each with its rule; the session requires none of them. They stand apart from the session, so
 * that a connector which asks the payer for some of them loads no more.
 */
export const customerFields = {
  name: personName({ min: 2, max: 200 }),
  email: email(),
  birth_date: day(),
};

/** The fields of an address, of the payer or of who is paid. */
export const addressFields = {
  country: countryCode(),
  state: text({ min: 2, max: 32 }),
  city: text({ min: 2, max: 40 }),
  address: text({ min: 2, max: 255 }),
  house_number: text({ max: 9 }),
  zip: text({ min: 2, max: 10 }),
  phone: phone(),
  phone_country_code: text({ max: 5, pattern: /^\+[1-9]\d{0,3}$/ }),
  district: text({ min: 2, max: 32 }),
  language: text({ max: 2, pattern: /^[A-Za-z]{2}$/, message: TEXTS.language }),
};

export { countriesWithStates } from './country-codes.ts';
export { addressFields, customerFields } from './session/payer-fields.ts';

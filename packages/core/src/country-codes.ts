import { foldedCodes } from './folded-codes.ts';

/**
 * The alpha-2 codes of the table of countries, folded: AD AE AF is `adef`. The table with names and the other codes stands in `country-table.ts`, an
 * entry of its own, so that a browser that only validates does not load it; a test compares the two.
 */
export const countryCodes: ReadonlySet<string> = new Set(
  foldedCodes(
    2,
    `adefgilmoqrstuwxz babdefghijlmnoqrstvwyz cacdfghiklmnoruvwxyz dejkmoz eceghrst fijkmor gabdefghilmnpqrstuwy
hkmnrtu idelmnoqrst jemop keghimnprwyz labcikrstuvy macdefghklmnopqrstuvwxyz nacefgilopruz om paefghklmnrstwy qa
reosuw sabcdeghijklmnorstvxyz tcdfghjklmnortvwz uagmsyz vaceginu wfs xk yet zamw`,
  ),
);

/**
 * Countries whose addresses carry a state, as two letters (protocol: billing_address.state). A request may carry any: states change, and
 * providers check them. Those that the page offers stand in `states.ts`.
 */
export const countriesWithStates: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'JP', 'IN']);

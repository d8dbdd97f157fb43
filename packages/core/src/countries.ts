export { countries, countriesAsOf, country, type Country } from './country-table.ts';
export { protocolState } from './iso-states.ts';
export { statesOf } from './states.ts';

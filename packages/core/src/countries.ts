export { countries, countriesAsOf, country, type Country } from './country-table.ts';
export { statesOf } from './states.ts';

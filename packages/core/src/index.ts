export type { Compile } from './compile.ts';
export * from './connector/index.ts';
export { countriesWithStates, countryCodes } from './country-codes.ts';
export * from './issues/index.ts';
export * from './method/index.ts';
export * from './money/index.ts';
export * from './payment/index.ts';
export * from './session/index.ts';
export * from './signature/index.ts';

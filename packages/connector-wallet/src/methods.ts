export { redirect } from './methods/redirect.ts';

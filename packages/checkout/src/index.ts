export { openDatabase } from './storage/index.ts';
export type { Database } from './storage/index.ts';

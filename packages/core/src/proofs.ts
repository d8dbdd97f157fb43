export { base64Key, hexKey } from './proofs/keys.ts';
export { openBankingJws, standardWebhooks, timedSignatures } from './proofs/schemes.ts';

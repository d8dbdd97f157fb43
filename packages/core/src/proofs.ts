export { jwkSet, oauthCode } from './connector/oauth-token.ts';
export { base64Key, hexKey } from './proofs/keys.ts';
export { openBankingJws, signedForOpenBanking, standardWebhooks, timedSignatures } from './proofs/schemes.ts';

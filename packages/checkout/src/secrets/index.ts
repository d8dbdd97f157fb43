export {
  type EncryptionKeys,
  encryptionKeys,
  KEY_FORM,
  type KeyHome,
  NoEncryptionKeyError,
} from './encryption-keys.ts';
export {
  createSealer,
  isSealed,
  keyIdOf,
  SealError,
  type SealedPlace,
  type Sealer,
  UnknownKeyError,
} from './sealer.ts';
export { countOfOlder, rotateKeys, SEALED_COLUMNS } from './rotate.ts';
export { openJson, openText, sealedAt, sealJson } from './sealed-at.ts';
export { sealedJournal } from './sealed-journal.ts';
export { serviceSecret } from './service-secrets.ts';
export { secretValue, secretValues, valuesWithSecrets } from './secret-value.ts';

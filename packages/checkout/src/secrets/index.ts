export { type EncryptionKeys, encryptionKeys, KEY_FORM, type KeyHome, NoEncryptionKeyError } from './keys.ts';
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
export { openJson, openText, sealedAt, sealJson } from './sealer.ts';
export { sealedJournal } from './sealer.ts';
export { serviceSecret } from './keys.ts';
export { secretValue, secretValues, valuesWithSecrets } from './keys.ts';

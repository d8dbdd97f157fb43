export { type CardVault, cardVault, fingerprintKey, openCardToken, type PlainCard } from './vault.ts';
export { type CardRequirements, type CardEntry, cardInputs, type ReadCard, readCard } from './card.ts';
export { maskedCard } from './card.ts';
export { type SavedCard, savedCards } from './vault.ts';
export { createSecurityCodes, type HeldSecrets, type SecurityCodes } from './security-codes.ts';
export { createEnteredCodes, type EnteredCodes } from './entered-codes.ts';

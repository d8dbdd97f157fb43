export { type CardVault, cardVault, fingerprintKey, openCardToken, type PlainCard } from './card-vault.ts';
export { type CardRequirements, type CardEntry, cardInputs, type ReadCard, readCard } from './card-entry.ts';
export { maskedCard } from './masked-card.ts';
export { type SavedCard, savedCards } from './saved-cards.ts';
export { createSecurityCodes, type HeldSecrets, type SecurityCodes } from './security-codes.ts';

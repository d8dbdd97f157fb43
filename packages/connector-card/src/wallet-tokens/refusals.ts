/** Why a token is not taken, and what that means. One reason for each check, so that a log distinguishes attack and mistake. */
export const WALLET_REFUSALS = {
  malformed: 'The token does not have the form that its version has.',
  'unknown-version': 'Tokens of this version are not read.',
  'unknown-key': 'The token is sealed for a key that is not configured.',
  'signature-malformed': 'The signature cannot be read.',
  'signer-certificate': 'The signer’s certificate is not one for payment tokens.',
  'intermediate-certificate': 'The intermediate certificate is not one of the wallet’s.',
  'certificate-chain': 'The certificates do not lead to a root that is trusted.',
  'certificate-expired': 'A certificate was not valid when the token was signed.',
  'content-changed': 'What the token holds is not what was signed.',
  'signature-wrong': 'The signature is not the signer’s.',
  'signed-long-ago': 'The token was signed too long ago.',
  'signed-in-future': 'The token was signed later than now.',
  'other-application-data': 'The token answers another request.',
  'no-root-key': 'No root key of this version is valid now.',
  'intermediate-key-signature': 'The intermediate key is not signed by a root key.',
  'intermediate-key-expired': 'The intermediate key is not valid any more.',
  'not-signed-for-recipient': 'The message is not signed by the wallet for this recipient.',
  'mac-wrong': 'The sealed message was changed, or it is sealed for another key.',
  'not-decrypted': 'The token cannot be decrypted with the configured key.',
  'content-malformed': 'The decrypted token does not say what a payment needs.',
  expired: 'The token is not valid any more.',
  'other-merchant': 'The token was made for another merchant.',
  'other-auth-method': 'The token proves its payer in a way that the settings do not allow.',
  'other-currency': 'The token was made for another currency.',
  'other-amount': 'The token was made for another amount.',
} as const;

export type WalletRefusal = keyof typeof WALLET_REFUSALS;

/** A token that is not taken. It says why, and nothing of what the token holds. */
export class WalletTokenRefused extends Error {
  override readonly name = 'WalletTokenRefused';
  readonly reason: WalletRefusal;

  constructor(reason: WalletRefusal) {
    super(WALLET_REFUSALS[reason]);
    this.reason = reason;
  }
}

export function refuse(reason: WalletRefusal): never {
  throw new WalletTokenRefused(reason);
}

/** An error of a library or the platform may hold decrypted text, so it is dropped. */
export function orRefuse<T>(reason: WalletRefusal, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof WalletTokenRefused) throw error;
    return refuse(reason);
  }
}

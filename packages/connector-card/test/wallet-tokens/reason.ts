import { WalletTokenRefused } from '../../src/wallet-tokens.ts';

/** What an opener says of a token: the reason, or that it was taken. */
export function reasonOf(open: () => unknown): string {
  try {
    open();
    return 'taken';
  } catch (error) {
    if (error instanceof WalletTokenRefused) return error.reason;
    throw error;
  }
}

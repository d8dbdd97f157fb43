import type { Directory } from './directory.ts';

/** Time enough to get a new one. */
const SOON_MS = 30 * 86_400_000;

/** The wallets whose certificate ends soon or has ended. @param now milliseconds since 1970 */
export function walletWarnings(
  { merchants }: Pick<Directory, 'merchants'>,
  now: number,
): readonly { readonly merchant: string; readonly method: string; readonly why: string }[] {
  return merchants().flatMap(({ config, wallets }) =>
    [...wallets].flatMap(([method, { wallet, settings }]) => {
      const { expires } = wallet.check(settings);
      if (expires === undefined || Date.parse(expires) > now + SOON_MS) return [];
      return [{ merchant: config.name, method, why: `The certificate is valid until ${expires}.` }];
    }),
  );
}

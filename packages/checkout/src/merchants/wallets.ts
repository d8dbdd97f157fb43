import type { DigitalWallet } from '@railyard/core';
import type { Registry } from '@railyard/core/registry';
import type { MerchantConfig } from '../deployment/catalogue-schema.ts';
import { problemsOf } from '../deployment/problems.ts';

/** A digital wallet of a merchant, with its settings as the wallet's schema read them. */
export interface MerchantWallet {
  readonly wallet: DigitalWallet;
  readonly settings: unknown;
}

interface Known {
  readonly registry: Registry;
  readonly installed: readonly DigitalWallet[];
  readonly problems: string[];
}

/** The wallets of a merchant, by method; what is wrong with the others is added to the problems. */
export function readWallets(
  config: MerchantConfig,
  index: number,
  { registry, installed, problems }: Known,
): ReadonlyMap<string, MerchantWallet> {
  const path = `merchants.${index}.wallets`;
  const read = Object.entries(config.wallets).flatMap(([method, given]): [string, MerchantWallet][] => {
    const wallet = installed.find((each) => each.method === method);
    if (wallet === undefined) {
      problems.push(`${path}.${method}: no such wallet is installed. Give it under "wallets" of the configuration.`);
      return [];
    }
    const settings = wallet.settings.safeParse(given);
    if (!settings.success) {
      problems.push(...problemsOf(settings.error, `${path}.${method}.`));
      return [];
    }
    const wrong = wallet.check(settings.data).problems;
    problems.push(...wrong.map((each) => `${path}.${method}.${each.path}: ${each.message}`));
    return [[method, { wallet, settings: settings.data }]];
  });
  for (const { key, method = key } of config.methods)
    if (registry.find(method)?.operations.purchase?.wallet === true && !Object.hasOwn(config.wallets, method))
      problems.push(`${path}.${method}: the method is offered, so give the wallet's settings.`);
  return new Map(read);
}

import type { Found } from '../connectors/find-connectors.ts';
import type { Finding } from './finding.ts';

/** The configuration as the checkout reads it, where the checkout is installed. Settings of accounts are reported separately. */
export async function checkConfiguration({ config }: Found): Promise<Finding[]> {
  const of = { of: 'configuration', check: 'configuration' } as const;
  if (config === undefined) return [{ ...of, result: 'not done', says: 'There is no configuration.' }];
  const checkout = await loadCheckout();
  if (checkout === undefined)
    return [
      {
        ...of,
        result: 'not done',
        says: 'Merchants are read by the checkout, which is not installed: npm install @railyard/checkout',
      },
    ];
  const found = checkout.configProblems(config);
  const problems = found.filter((each) => !/^mids\.\d+\.settings\b/.test(each));
  if (problems.length > 0) return problems.map((says) => ({ ...of, result: 'failed', says }));
  if (found.length > 0)
    return [{ ...of, result: 'failed', says: 'The checkout cannot be started with the settings of its accounts.' }];
  return [{ ...of, result: 'ok', says: 'The checkout can be started with it.' }];
}

interface Reader {
  /** Method syntax: what a file exports is checked by the checkout, whatever its type. */
  configProblems(config: object): readonly string[];
}

async function loadCheckout(): Promise<Reader | undefined> {
  try {
    return await import('@railyard/checkout');
  } catch {
    return undefined;
  }
}

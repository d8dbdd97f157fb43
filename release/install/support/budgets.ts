/** What core and one method of a connector may weigh in a page, gzipped, without zod and without what is counted apart. */
const BUDGET_KB = 15;

/** Connectors of which one method may weigh more, each with the reason. */
const MORE: Readonly<Record<string, { readonly kilobytes: number; readonly because: string }>> = {
  '@railyard/connector-card': { kilobytes: 17, because: 'its tables have more than a hundred names' },
  '@railyard/connector-crypto': { kilobytes: 16, because: 'it reads the addresses of five families of chains' },
  '@railyard/connector-open-banking': { kilobytes: 16, because: 'it reads account numbers of nine countries' },
};

export const budgetOf = (connector: string) => {
  const most = MORE[connector]?.kilobytes ?? BUDGET_KB;
  return (kilobytes: number): boolean => kilobytes <= most;
};

/** The version of the contract that this core speaks. */
export const CONTRACT_VERSION = 1;

/**
 * Why a connector cannot be used here, or nothing where its contract is this core's. Check each connector before it is
 * registered: it may come from another copy of core than the one that runs it.
 *
 * @example contractProblem({ id: 'scanner', contract: 2 }) // 'Connector scanner is written for contract 2; …'
 */
export function contractProblem({
  id,
  contract,
}: {
  readonly id: string;
  readonly contract: number;
}): string | undefined {
  if (contract === CONTRACT_VERSION) return undefined;
  return `Connector ${id} is written for contract ${String(contract)}; this core speaks contract ${CONTRACT_VERSION}. Install a version of the connector for it.`;
}

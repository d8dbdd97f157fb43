/** The protocol's two letters for the codes of ISO 3166-2 of Australia, where those are longer. */
export const australian: Readonly<Record<string, string>> = { ACT: 'CT', NSW: 'NS', QLD: 'QL', TAS: 'TS', VIC: 'VI' };

/**
 * The two letters of the protocol for a code of ISO 3166-2, which merchants have in their address books; any other text as it is. Japan's
 * codes are numbers, and a state has letters alone (reference: billing_address.state).
 *
 * @example protocolState('AU', 'VIC') // 'VI'
 */
export const protocolState = (country: string, state: string): string =>
  (country === 'AU' ? australian[state.toUpperCase()] : undefined) ?? state;

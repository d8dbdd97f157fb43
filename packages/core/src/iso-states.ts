/**
 * The codes of ISO 3166-2 where those are no two letters, in their order: of Japan they are the numbers from 01 on. Apart from the table with
 * names, so that a browser that only validates does not load it; a test compares the two.
 */
const own: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  AU: new Map([
    ['CT', 'ACT'],
    ['NS', 'NSW'],
    ['QL', 'QLD'],
    ['TS', 'TAS'],
    ['VI', 'VIC'],
  ]),
  JP: new Map(
    (
      'HK AO IW MG AK YT FS IB TC GM ST CH TK KN NI TY IS FI YN NN GF SZ AI ME SH KY OS HG NR WK TT SM OY HS YC TS KG EH KC FO SG NS KM ' +
      'OT MZ KS ON'
    )
      .split(' ')
      .map((code, index) => [code, String(index + 1).padStart(2, '0')]),
  ),
};

/**
 * A state of an address as 3-D Secure and address checks know it: by ISO 3166-2, without the country. The protocol has two letters
 * (billing_address.state), which are not ISO's in Australia and Japan.
 *
 * @example isoState('AU', 'VI') // 'VIC'
 */
export function isoState(country: string | undefined, state: string | undefined): string | undefined {
  if (country === undefined || state === undefined) return state;
  return own[country]?.get(state.toUpperCase()) ?? state;
}

/**
 * The two letters of the protocol for a code of ISO 3166-2, which merchants have in their address books; any other text as it is.
 *
 * @example protocolState('AU', 'VIC') // 'VI'
 */
export function protocolState(country: string, state: string): string {
  const code = state.toUpperCase();
  // Letters alone (reference: billing_address.state): a number is refused, and not read as Japan's.
  if (!/^[A-Z]+$/.test(code)) return state;
  return [...(own[country] ?? [])].find(([, iso]) => iso === code)?.[0] ?? state;
}

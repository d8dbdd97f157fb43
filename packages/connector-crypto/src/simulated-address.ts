/**
 * Addresses that the simulated providers give: published samples of the specifications, of networks where coins are worth something.
 * Their owners are unknown, so nothing may be sent there.
 */
const SAMPLES: Readonly<Record<string, string>> = {
  bitcoin: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'bitcoin/newer': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bitcoin-cash': '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
  'bitcoin-cash/newer': 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
};

const OF_THE_OTHERS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A published address of a network. */
export function simulatedAddress(network: string, newer: boolean): string {
  return (newer ? SAMPLES[`${network}/newer`] : undefined) ?? SAMPLES[network] ?? OF_THE_OTHERS;
}

/** Hashes and alphabets that the checks of crypto addresses take from libraries: a package with the checks built in keeps them in a file of their own. */

export { sha256 } from '@noble/hashes/sha2.js';
export { keccak_256 } from '@noble/hashes/sha3.js';
export { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
export { base58, bech32, bech32m, createBase58check } from '@scure/base';

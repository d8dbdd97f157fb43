/** `main`: the network where coins are worth something. `test`: one where they are not. */
export type ChainNetwork = 'main' | 'test';

/** `format`: no address of this family. `checksum`: one that was mistyped. */
export type AddressFault = 'format' | 'checksum';

export interface AddressFailure {
  readonly ok: false;
  readonly reason: AddressFault;
}

export const refused = (reason: AddressFault): AddressFailure => ({ ok: false, reason });

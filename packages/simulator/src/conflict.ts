/** The request does not fit the payments that there are. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

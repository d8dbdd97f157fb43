import { types } from 'pg';

const INT8 = 20;

/** int8 as the embedded database gives it: a number where it is exact. */
function readInt8(text: string): number | bigint {
  const value = BigInt(text);
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** Values come out of the server as they come out of the embedded database. */
export const serverTypes: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? readInt8 : types.getTypeParser(oid, format),
};

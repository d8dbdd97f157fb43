/**
 * A value as a parameter of a statement. PostgreSQL reads text by the parameter's type, and bytes as they are.
 *
 * @throws TypeError for an object: its statement gives it as JSON text
 */
export function wireValue(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return null;
  }
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`;
  throw new TypeError('A parameter of a statement is a text, a number, a boolean, a time, bytes, or a list of these.');
}

/** Within an array (PostgreSQL: Array Value Input). */
function element(value: unknown): string {
  if (Array.isArray(value)) return String(wireValue(value));
  const wire = wireValue(value);
  if (wire === null) return 'NULL';
  const text = typeof wire === 'string' ? wire : `\\x${wire.toString('hex')}`;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
}

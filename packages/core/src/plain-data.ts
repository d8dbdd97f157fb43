/** A property of the value's own, whatever it is; `constructor` and the like are not inherited. */
export function ownProperty(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Reads a dotted path of plain data; anything that is not there is `undefined`. Inherited properties are never read. */
export function readPath(value: unknown, path: string): unknown {
  if (!path.includes('.')) return ownProperty(value, path);
  let at = value;
  for (const name of path.split('.')) at = ownProperty(at, name);
  return at;
}

/** As `readPath`, for what is of use only as a text. */
export function readText(value: unknown, path: string): string | undefined {
  const found = readPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

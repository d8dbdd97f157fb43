/** An object or a list. */
export function isContainer(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A property of the value's own, whatever it is; `constructor` and the like are not inherited. */
export function ownProperty(value: unknown, name: PropertyKey): unknown {
  return isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Reads a dotted path of plain data; anything that is not there is `undefined`. Inherited properties are never read. */
export function readPath(value: unknown, path: string): unknown {
  return path.split('.').reduce(ownProperty, value);
}

/** As `readPath`, for what is of use only as a text. */
export function readText(value: unknown, path: string): string | undefined {
  return textOf(readPath(value, path));
}

/** A value that is of use only as a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A copy of plain data with another value at a dotted place; parts that are missing are made. */
export function withPlace(data: unknown, place: string, value: unknown): unknown {
  const [name = '', ...rest] = place.split('.');
  const next = (at: unknown) => (rest.length === 0 ? value : withPlace(at, rest.join('.'), value));
  if (Array.isArray(data)) return data.map((each: unknown, index) => (String(index) === name ? next(each) : each));
  const object = typeof data === 'object' && data !== null ? data : {};
  return { ...object, [name]: next(Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined) };
}

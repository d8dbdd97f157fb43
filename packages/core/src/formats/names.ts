/**
 * The same values under names as many providers write them; of their own, and not of what is in them.
 *
 * @example inSnakeCase({ userAgent: 'Browser', colorDepth: 24 }) // { user_agent: 'Browser', color_depth: 24 }
 */
export const inSnakeCase = <V>(values: Readonly<Record<string, V>>): Readonly<Record<string, V>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

import type { Connector } from '@railyard/core';

const MASK = '•••';

/** Shorter texts are words of everyday messages. */
const SHORTEST = 4;

/** Removes the secrets of an account from a text, because a connector's error may quote its input. */
export function withoutSecrets(
  text: string,
  connector: Connector,
  settings: unknown,
  isSecret: (connector: Connector, place: string) => boolean,
): string {
  const given = typeof settings === 'object' && settings !== null ? settings : {};
  const texts = Object.entries(given).flatMap(([place, value]: [string, unknown]) =>
    typeof value === 'string' && value.length >= SHORTEST && isSecret(connector, place) ? [value] : [],
  );
  return texts.reduce((clean, each) => clean.replaceAll(each, MASK), text);
}

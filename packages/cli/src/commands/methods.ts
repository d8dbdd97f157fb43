import { describeMethods } from '@railyard/core/registry';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import type { Command } from './command.ts';

export const methods: Command = {
  usage: 'methods [--connector PATH|PACKAGE]…',
  help: 'Lists the methods of the found connectors: their keys, operations, currencies and countries, and whether they accept payers elsewhere.',
  options: CONNECTOR_OPTIONS,
  words: [0, 0],
  async run(given, { cwd }) {
    const found = await findConnectors(given, cwd);
    const listed = describeMethods(found).map(({ key, title, operations, currencies, countries, elsewhere }) => ({
      key,
      title,
      operations: operations.map(({ operation }) => operation),
      currencies,
      countries,
      ...(elsewhere !== undefined && { elsewhere }),
      connectors: found.connectors
        .filter(({ connector }) => connector.serves.some(({ method }) => method.key === key))
        .map(({ connector }) => connector.id),
    }));
    return {
      code: 0,
      json: { methods: listed, from: found.from },
      text: (look) =>
        look.table(
          ['method', 'title', 'operations', 'currencies', 'countries', 'elsewhere', 'connectors'],
          listed.map((each) => [
            each.key,
            each.title,
            each.operations.join(', '),
            short(each.currencies),
            short(each.countries),
            each.countries.length === 0 ? '-' : each.elsewhere === undefined ? 'refused' : 'taken',
            each.connectors.join(', ') || '-',
          ]),
        ),
    };
  },
};

/** More than these are counted: "railyard describe" and --json have them all. */
const SHOWN = 12;

function short(codes: readonly string[]): string {
  if (codes.length === 0) return 'any';
  return codes.length > SHOWN ? `${codes.length} codes` : codes.join(', ');
}

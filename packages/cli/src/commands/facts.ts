import { readDescription } from '../import/read-description.ts';
import { type Command, listOf, textOf, UsageError } from './command.ts';

export const facts: Command = {
  usage: 'facts FILE --operation "PUT /charges/{id}" --source TEXT --licence TEXT',
  help: 'Reduces the OpenAPI description of a provider (3.0 or 3.1, as JSON or YAML) to the facts of the named operations: names, types, required fields, lengths, patterns, enumerations. Tests compare the requests of a connector with them by checkAgainst of @railyard/conformance/official. The description itself need not be in the repository. Needs the kit: npm install --save-dev @railyard/conformance',
  options: {
    operation: {
      type: 'string',
      multiple: true,
      hint: 'OPERATION',
      says: 'method and path as the description writes them; may be repeated',
    },
    source: { type: 'string', hint: 'TEXT', says: 'where the description comes from: provider, document, address' },
    licence: { type: 'string', hint: 'TEXT', says: 'the licence of the description' },
  },
  words: [1, 1],
  async run(given, io) {
    const [file = ''] = given.positionals;
    const [source, licence, operations] = [
      textOf(given, 'source'),
      textOf(given, 'licence'),
      listOf(given, 'operation'),
    ];
    if (operations.length === 0) throw new UsageError('Name at least one operation: --operation "PUT /charges/{id}"');
    if (source === undefined || licence === undefined)
      throw new UsageError('Say where the description comes from: --source "Example provider, API 2.1" --licence MIT');
    const description = await readDescription(file, io);
    const { reduceDescription } = await import('@railyard/conformance/official').catch(() => {
      throw new UsageError('The kit is not installed here: npm install --save-dev @railyard/conformance');
    });
    try {
      const reduced = reduceDescription(description, { source, licence }, operations);
      return { code: 0, json: reduced, text: () => JSON.stringify(reduced, null, 1) };
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message : String(error));
    }
  },
};

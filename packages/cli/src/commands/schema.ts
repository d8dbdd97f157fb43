import { jsonSchemaOf, OPERATIONS } from '@railyard/core/registry';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import { methodCalled, registryOf } from '../connectors/registry-of.ts';
import { jsonText } from '../output/json.ts';
import { type Command, oneOf, textOf, UsageError } from './command.ts';

export const schema: Command = {
  usage: 'schema KEY [--operation NAME]',
  help: 'Writes the JSON Schema (2020-12) of "parameters.KEY": of one operation, or of all of them by their names.',
  options: {
    operation: { type: 'string', hint: 'NAME', says: `one of ${OPERATIONS.join(', ')}` },
    ...CONNECTOR_OPTIONS,
  },
  words: [1, 1],
  async run(given, { cwd }) {
    const found = await findConnectors(given, cwd);
    const [key = ''] = given.positionals;
    const method = methodCalled(key, found);
    const registry = registryOf(found);
    const has = OPERATIONS.filter((operation) => method.operations[operation] !== undefined);
    const asked = textOf(given, 'operation');
    const json = asked === undefined ? all() : jsonSchemaOf(registry, key, oneOf(asked, has, `--operation of ${key}`));
    return { code: 0, json, text: () => jsonText(json) };

    function all() {
      if (has.length === 0) throw new UsageError(`The method ${key} has no operations.`);
      return Object.fromEntries(has.map((operation) => [operation, jsonSchemaOf(registry, key, operation)]));
    }
  },
};

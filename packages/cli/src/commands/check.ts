import { basename } from 'node:path';
import type { Connector } from '@railyard/core';
import type { Contradiction, OfficialReport } from '@railyard/conformance';
import { ACCOUNT_OPTIONS, accountFor } from '../connectors/accounts.ts';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import { factsOf, operationsIn, sourceOf } from '../import/operations.ts';
import { readDescription } from '../import/read-description.ts';
import { type Command, listOf, UsageError } from './command.ts';
import { SAMPLE_OPTIONS, samplesOf } from './conform.ts';

export const check: Command = {
  usage: 'check FILE … [--except ENDPOINT]',
  help: 'Compares a connector with the OpenAPI description of its provider’s API (3.0 or 3.1, as JSON, YAML or Markdown), or with its facts (see "railyard facts"): every golden, every request that the conformance kit plays, and every example of its endpoints. A request must have no field that the description does not name. Exits with 1 at a contradiction, and if nothing was played. Needs the kit: npm install --save-dev @railyard/conformance',
  options: {
    except: {
      type: 'string',
      multiple: true,
      hint: 'ENDPOINT',
      says: 'an endpoint that no description has, such as the token endpoint',
    },
    ...SAMPLE_OPTIONS,
    ...ACCOUNT_OPTIONS,
    ...CONNECTOR_OPTIONS,
  },
  words: [1, 20],
  async run(given, io) {
    const sources = await Promise.all(
      given.positionals.map(async (file) => {
        const source = sourceOf(await readDescription(file, io), file);
        return { source, file };
      }),
    );
    const found = await findConnectors(given, io.cwd);
    const { connector, simulation, settings } = await accountFor(given, found, io);
    const [kit, official] = await Promise.all([
      import('@railyard/conformance'),
      import('@railyard/conformance/official'),
    ]).catch(() => {
      throw new UsageError('The kit is not installed here: npm install --save-dev @railyard/conformance');
    });
    const names = connector.endpoints.map(({ name }) => name);
    const except = listOf(given, 'except');
    const unknown = except.find((each) => !names.includes(each));
    if (unknown !== undefined)
      throw new UsageError(`${connector.id} has no endpoint "${unknown}". It has ${names.join(', ')}.`);
    const facts = await Promise.all(
      sources.map(({ source, file }) =>
        factsOf(
          source,
          operationsIn(source).filter((name) => connector.endpoints.some((endpoint) => mayBe(endpoint, name))),
          basename(file),
        ),
      ),
    );
    const report = await kit.checkOfficial(connector, {
      settings: { ...Object(settings) },
      ...(simulation && { simulation }),
      ...(await samplesOf(given, io)),
      officials: facts.map((each) => official.checkAgainst(each)),
      except,
    });
    const good = report.problems.length === 0 && report.notPlayed.length === 0 && report.requests > 0;
    return {
      code: good ? 0 : 1,
      json: { connector: connector.id, ...report },
      text: (look) => {
        const row = ({ endpoint, of, says }: Contradiction) => [endpoint, of, says];
        const table =
          report.problems.length === 0
            ? []
            : [look.table(['endpoint', 'of', 'what it contradicts'], report.problems.map(row))];
        return [
          ...table,
          ...report.notPlayed,
          `${connector.id}: ${look.paint(good ? 'green' : 'red', countsOf(report))}`,
        ].join('\n');
      },
    };
  },
};

/** Whether an endpoint may be an operation: the path of one ends as the other's. A base URL holds the beginning of either. */
function mayBe({ method, path }: Connector['endpoints'][number], operation: string): boolean {
  const [verb, template = ''] = operation.split(' ');
  const [one, other] = [path, template].map((each) => each.split('/').slice(1).toReversed());
  const isPlace = (part = '') => part.includes('{');
  const shared = (one ?? []).slice(0, other?.length).map((part, index) => [part, other?.[index] ?? ''] as const);
  return verb === method && shared.every(([left, right]) => left === right || isPlace(left) || isPlace(right));
}

function countsOf({ requests, replies, problems }: OfficialReport): string {
  if (requests === 0)
    return 'no request was played, so that nothing is proven. Give samples with --sessions, goldens with --goldens, or a simulation beside the connector.';
  return `${requests} requests and ${replies} replies compared, ${problems.length} contradictions`;
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckResult, ConformanceOptions, ConformanceReport } from '@railyard/conformance';
import { ACCOUNT_OPTIONS, accountFor } from '../connectors/accounts.ts';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import type { Io } from '../output/io.ts';
import type { Look } from '../output/look.ts';
import { type Command, type Given, isSet, oneOf, textOf, UsageError } from './command.ts';

const LEVELS = ['required', 'recommended', 'excellent'] as const;

export const conform: Command = {
  usage: 'conform [--level NAME]',
  help: 'Runs the conformance kit on a connector, within this process: it needs no credentials and no network. Answers 1 where the connector does not reach the level. Needs the kit: npm install --save-dev @railyard/conformance',
  options: {
    level: { type: 'string', hint: 'NAME', says: `what must be reached: ${LEVELS.join(', ')}; required unless given` },
    goldens: { type: 'string', hint: 'FOLDER', says: 'golden exchanges, as JSON files' },
    sessions: { type: 'string', hint: 'FILE', says: 'sample sessions, as JSON: by method and operation' },
    all: { type: 'boolean', says: 'list the checks that passed too' },
    ...ACCOUNT_OPTIONS,
    ...CONNECTOR_OPTIONS,
  },
  words: [0, 0],
  async run(given, io) {
    const wanted = oneOf(textOf(given, 'level') ?? 'required', LEVELS, '--level');
    const found = await findConnectors(given, io.cwd);
    const { connector, simulation, settings } = await accountFor(given, found, io);
    const kit = await import('@railyard/conformance').catch(() => {
      throw new UsageError('The kit is not installed here: npm install --save-dev @railyard/conformance');
    });
    const options = {
      settings: { ...Object(settings) },
      ...(simulation && { simulation }),
      ...(await samplesOf(given, io)),
    };
    const report = await kit.checkConformance(connector, options);
    const reached = report.level !== 'failed' && LEVELS.indexOf(report.level) >= LEVELS.indexOf(wanted);
    return {
      code: reached ? 0 : 1,
      json: { ...report, wanted, reached },
      text: (look) => tableOf(report, reached, isSet(given, 'all'), look),
    };
  },
};

async function samplesOf(given: Given, { cwd }: Io): Promise<Pick<ConformanceOptions, 'goldens' | 'sessions'>> {
  const [goldens, sessions] = [textOf(given, 'goldens'), textOf(given, 'sessions')];
  return {
    ...(goldens !== undefined && { goldens: pathToFileURL(`${resolve(cwd, goldens)}/`) }),
    ...(sessions !== undefined && { sessions: JSON.parse(await readFile(resolve(cwd, sessions), 'utf8')) }),
  };
}

function tableOf(
  { connector, level, results, milliseconds }: ConformanceReport,
  reached: boolean,
  all: boolean,
  look: Look,
): string {
  const shown = results.filter(({ status }) => all || status !== 'passed');
  const row = ({ id, level: of, status, title, why }: CheckResult) => [id, of, status, why ?? title];
  const count = (wanted: CheckResult['status']) => results.filter(({ status }) => status === wanted).length;
  const counts = `${count('passed')} of ${results.length} checks passed, ${count('failed')} failed, ${count('skipped')} skipped`;
  const head = `${connector}: ${look.paint(reached ? 'green' : 'red', level)}; ${counts}, in ${Math.round(milliseconds)} ms`;
  return shown.length === 0
    ? head
    : `${look.table(['check', 'level', 'status', 'what it says'], shown.map(row))}\n${head}`;
}

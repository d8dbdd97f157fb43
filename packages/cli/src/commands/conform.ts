import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { CheckResult, ConformanceOptions, ConformanceReport, Golden } from '@railyard/conformance';
import { ACCOUNT_OPTIONS, accountFor } from '../connectors/accounts.ts';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import type { Io } from '../output/io.ts';
import type { Look } from '../output/look.ts';
import { loadModule } from '../connectors/load-module.ts';
import { type Command, type Given, isSet, oneOf, type OptionSpec, textOf, UsageError } from './command.ts';

const LEVELS = ['required', 'recommended', 'excellent'] as const;

/** Options of every command that plays a connector. */
export const SAMPLE_OPTIONS = {
  goldens: {
    type: 'string',
    hint: 'PLACE',
    says: 'golden exchanges: a folder of JSON files, or a module that exports them',
  },
  sessions: { type: 'string', hint: 'FILE', says: 'sample sessions, as JSON: by method and operation' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const conform: Command = {
  usage: 'conform [--level NAME]',
  help: 'Runs the conformance kit on a connector, within this process: it needs no credentials and no network. Exits with 1 if the connector does not reach the level. Needs the kit: npm install --save-dev @railyard/conformance',
  options: {
    level: { type: 'string', hint: 'NAME', says: `the level to reach: ${LEVELS.join(', ')}; default: required` },
    ...SAMPLE_OPTIONS,
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

/** Goldens and sample sessions, as the options name them. */
export async function samplesOf(given: Given, { cwd }: Io): Promise<Pick<ConformanceOptions, 'goldens' | 'sessions'>> {
  const [goldens, sessions] = [textOf(given, 'goldens'), textOf(given, 'sessions')];
  return {
    ...(goldens !== undefined && { goldens: await goldensAt(resolve(cwd, goldens)) }),
    ...(sessions !== undefined && { sessions: JSON.parse(await readFile(resolve(cwd, sessions), 'utf8')) }),
  };
}

/** Goldens in TypeScript or JavaScript, as `npm test` has them, are the lists that a module exports. */
async function goldensAt(place: string): Promise<NonNullable<ConformanceOptions['goldens']>> {
  if (!/\.[cm]?[jt]s$/.test(place)) return pathToFileURL(`${place}/`);
  const lists = Object.values(await loadModule(place)).filter((each) => Array.isArray(each));
  const found = lists.flat().filter((each): each is Golden => goldenLike.safeParse(each).success);
  if (found.length === 0) throw new UsageError(`${place} exports no list of golden exchanges.`);
  return found;
}

const goldenLike = z.object({ endpoint: z.string(), request: z.object({}), reply: z.object({}) });

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

import type { DriftCount } from '@railyard/runtime';
import { readText } from '../connectors/read-json.ts';
import { type Proposal, proposalsFrom } from '../drift/proposal.ts';
import { countsIn } from '../drift/read-counts.ts';
import type { Io } from '../output/io.ts';
import { jsonText } from '../output/json.ts';
import type { Look } from '../output/look.ts';
import { type Command, textOf, UsageError } from './command.ts';

export const drift: Command = {
  usage: 'drift [FILE|-] [--config FILE]',
  help: 'Lists fields in provider replies that the connector does not declare, and declared fields that were missing. Proposes samples (names with placeholders, no values) and the version bump that the connector needs. FILE is a log of the checkout, or the output of "railyard-checkout drift"; - reads standard input. Without FILE it reads the database of the configuration, which needs the checkout: npm install @railyard/checkout. Exits with 1 if it proposes a version bump.',
  options: {
    config: { type: 'string', hint: 'FILE', says: 'the configuration; default: railyard.config.{mjs,js,ts}' },
  },
  words: [0, 1],
  async run(given, io) {
    const [name] = given.positionals;
    const config = textOf(given, 'config');
    if (name !== undefined && config !== undefined)
      throw new UsageError('Give a FILE, or --config for the database; not both.');
    const counts = name === undefined ? await stored(config, io) : await countsIn(await textIn(name, io));
    const proposals = await proposalsFrom(counts);
    return {
      code: proposals.some(({ step }) => step !== 'none') ? (1 as const) : (0 as const),
      json: { proposals },
      text: (look) =>
        counts.length === 0
          ? 'Nothing was counted: no line "reply-drift", and no reply in the database.'
          : proposals.length === 0
            ? 'Every reply is as its connector declares it.'
            : proposals.map((each) => shown(each, look)).join('\n\n'),
    };
  },
};

const textIn = (name: string, io: Io) => (name === '-' ? io.readInput() : readText(name, io.cwd));

async function stored(config: string | undefined, io: Io): Promise<readonly DriftCount[]> {
  const { storedDrift } = await import('@railyard/checkout').catch(() => {
    throw new UsageError('Give a FILE; the database is asked by the checkout: npm install @railyard/checkout');
  });
  return storedDrift(config, io.cwd).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  });
}

const HEAD = ['endpoint', 'reply', 'what', 'where', 'form', 'seen', 'mended by'];

function shown({ connector, version, step, next, found, samples }: Proposal, look: Look): string {
  const rows = found.map((each) => [
    each.endpoint,
    [each.reply, each.status === 0 ? '' : String(each.status)].filter((part) => part !== '').join(' '),
    each.kind,
    each.place,
    each.form,
    each.of === 0 ? String(each.seen) : `${each.seen} of ${each.of}`,
    each.mended,
  ]);
  const proposed = step === 'none' ? 'no new version' : `${step}, ${next}`;
  return [
    `${connector} ${version}: ${look.paint('bold', proposed)}`,
    look.table(HEAD, rows),
    ...(samples.length === 0 ? [] : ['Samples; fill each hole from the provider’s documentation:', jsonText(samples)]),
  ].join('\n');
}

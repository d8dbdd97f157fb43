import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Facts, reduceDescription } from '@railyard/conformance/official';
import { parse } from 'yaml';
import { root } from '../../../../test/support/workspace.ts';
import { notificationsIn, operationsIn, sourceOf } from '../../src/import/operations.ts';
import { fixture } from './run-cli.ts';
import { adapterText, type WrittenAdapter } from '../../src/import/adapter-text.ts';

/** The facts of an official description that an adapter of this repository is checked against. */
export function officialFacts(path: string): Facts {
  const facts: Facts = JSON.parse(readFileSync(join(root, path), 'utf8'));
  return facts;
}

/** The facts of all operations of a description of our own. */
export function ownFacts(file: string, annotated = false): Facts {
  const description: unknown = parse(readFileSync(fixture(file), 'utf8'));
  const source = sourceOf(description, file);
  const operations = operationsIn(source);
  return reduceDescription(
    description,
    { source: 'Our own description', licence: 'MIT' },
    [...operations, ...notificationsIn(source, operations)],
    annotated,
  );
}

/** Only the calls among some operations; notifications are none. */
export function callsOf(facts: Facts, wanted: (operation: string) => boolean = () => true): Facts {
  const calls = Object.entries(facts.operations).filter(([name]) => / \//.test(name) && wanted(name));
  return { ...facts, operations: Object.fromEntries(calls) };
}

/** Answers to questions, each as it is written in their place. */
type Decisions = readonly (readonly [question: RegExp, decision: (question: string) => string])[];

/** The decisions that a test makes in place of a person, by what the question says. */
const DECISIONS: Decisions = [
  [/what is done after a time-out/, () => "'once'"],
  [/whether (?:default|\dXX) says/, () => '400'],
  [/whether (\d+) says/, (question) => /whether (\d+)/.exec(question)?.[1] ?? ''],
  [/which of [\d, ]+ say/, (question) => `[${/which of ([\d, ]+) say/.exec(question)?.[1] ?? ''}]`],
  [/^what .* says/, () => "'pending'"],
  [/^which words/, () => '{}'],
  [
    /^how the client proves itself/,
    () => "({ client_id: id, client_secret: secret }) => ({ by: 'basic', id, secret })",
  ],
  [/requests are let in|^which of .* requests carry/, () => "() => ({ authorization: 'a-text' })"],
  [/which of \d+ alternatives/, () => 'z.unknown()'],
  [/which effect it has on money/, () => "'charge'"],
  [/^which word of the provider says (\w+)/, (question) => `'${question.toUpperCase().split(' ').at(-1)}'`],
  [/whether whole amounts/, () => "'minor-units'"],
  [/which outcome this reply is/, () => "{ status: 'settled' }"],
  [
    /^how a notification proves/,
    () => "{ scheme: 'shared-secret', header: 'x-token', value: ({ base_url }) => base_url }",
  ],
  [/^which events a notification/, () => '() => []'],
  [/^how a notification is acknowledged/, () => '{ status: 200 }'],
];

/** The written endpoints once every question is answered. */
const decided = (text: string, own: Decisions): string =>
  valuesDecided(text, own).replaceAll(/Undecided<'[^']*'>/g, 'Readonly<Record<string, string>>');

/** Once those are answered that stand as values, and those of types are not. */
function valuesDecided(text: string, own: Decisions = []): string {
  return text
    .replaceAll(/(\w+)\.pick\(\{\s*[^:]+: undecided\(\s*'[^']*',?\s*\),?\s*\}\)/g, '$1')
    .replaceAll(/undecided\(\s*'([^']*)',?\s*\)/g, (_, question: string) => {
      const found = [...own, ...DECISIONS].find(([asked]) => asked.test(question));
      if (found === undefined) throw new Error(`The test does not decide: ${question}`);
      return found[1](question);
    });
}

export interface Imported extends WrittenAdapter {
  /** The written files once every question is answered, below the package so that they find its libraries. */
  readonly endpointsFile: string;
  readonly samplesFile: string;
  /** The endpoints as they are written. */
  readonly undecidedFile: string;
  /** The endpoints once those questions are answered that stand as values: the compiler complains of the types after them. */
  readonly halfDecidedFile: string;
  /** Simulation, goldens and notifications once every question is answered, and as they are written. */
  readonly skeletonFiles: readonly string[];
  readonly undecidedSkeletons: readonly string[];
}

const home = join(root, 'packages/cli/.railyard', `import-${process.pid}`);

/**
 * Imports facts and writes the files down.
 *
 * @param own decisions that go before those of all tests
 */
export async function imported(
  name: string,
  facts: Facts,
  fields: readonly string[] = [],
  own: Decisions = [],
): Promise<Imported> {
  const folder = join(home, name);
  const written = adapterText(facts, name, fields);
  await mkdir(folder, { recursive: true });
  const endpointsFile = join(folder, `${name}-endpoints.ts`);
  const samplesFile = join(folder, `${name}.samples.ts`);
  const undecidedFile = join(folder, `${name}-undecided.ts`);
  const halfDecidedFile = join(folder, `${name}-half-decided.ts`);
  await Promise.all([
    writeFile(endpointsFile, withoutUnused(decided(written.endpoints, own))),
    writeFile(samplesFile, written.samples),
    writeFile(undecidedFile, written.endpoints),
    writeFile(halfDecidedFile, valuesDecided(written.endpoints)),
  ]);
  const skeletons = written.skeletons.map(({ name: of, text }) => ({
    file: join(folder, `${name}.${of}.ts`),
    undecided: join(folder, `${name}.${of}-undecided.ts`),
    text,
  }));
  await Promise.all(
    skeletons.flatMap(({ file, undecided, text }) => [
      writeFile(file, withoutUnused(decided(text, own))),
      writeFile(undecided, text),
    ]),
  );
  const skeletonFiles = skeletons.map(({ file }) => file);
  const undecidedSkeletons = skeletons.map(({ undecided }) => undecided);
  return {
    ...written,
    endpointsFile,
    samplesFile,
    undecidedFile,
    halfDecidedFile,
    skeletonFiles,
    undecidedSkeletons,
  };
}

/** Who decides the last question removes the import. */
const withoutUnused = (text: string): string =>
  text
    .replace("import { undecided } from '@railyard/core';\n", '')
    .replaceAll(/,? (?:type Undecided|undecided),?(?= [}t])|\n {2}(?:type Undecided|undecided),/g, '');

export const removeImported = () => rm(home, { recursive: true, force: true });

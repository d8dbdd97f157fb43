import type { Facts } from '@railyard/conformance/official';
import { type Access, accessOf, accountField, baseUrlOf } from './access.ts';
import { endpointOf, type Making } from './endpoints.ts';
import { type EndpointModel, endpointText, inputTypeText } from './endpoint-text.ts';
import { braces, type Doc, hugged, laidOut, quoted } from './layout.ts';
import { FreeNames, sharedParts } from './names.ts';
import { Questions } from './questions.ts';
import { SampleWriter } from './sample-text.ts';
import { SchemaWriter } from './schema-text.ts';
import { Selection } from './selection.ts';
import { StatusTables } from './statuses.ts';
import { goldensText, notificationsText, operationsBy, simulationText, type Skeleton } from './skeletons.ts';
import { TypeWriter } from './type-text.ts';

/** Names of the file that no schema may have. */
const OWN =
  'z api settings Settings statuses samples Numeric field secret reply providerApi statusTable undecided Undecided JsonNumberLiteral'.split(
    ' ',
  );

export interface WrittenAdapter {
  readonly endpoints: string;
  readonly samples: string;
  /** Decisions of a person that are open, as they stand in the files. */
  readonly questions: readonly string[];
  readonly notes: readonly string[];
  /** Simulation, goldens and notifications. */
  readonly skeletons: readonly Skeleton[];
  /** Fields of the description that are not written, by what they stand in. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
}

/**
 * Writes the endpoints, reply schemas and samples of the operations that the facts hold.
 *
 * @param name of the connector, in the names of its files: `conekta`
 * @param fields dotted names of the fields to write beside a request's required ones; without any, every field with a single value
 */
export function adapterText(facts: Facts, name: string, fields: readonly string[]): WrittenAdapter {
  const samplesFile = `./${name}.samples.ts`;
  const endpointsFile = `./${name}-endpoints.ts`;
  const questions = new Questions();
  const ofSamples = new Questions();
  const names = new FreeNames(OWN);
  const notes = new Set<string>();
  const note = (text: string) => void notes.add(text);
  const access = accessOf(facts, questions);
  const making: Making = {
    facts,
    access,
    selection: new Selection(fields),
    questions,
    names,
    schemas: new SchemaWriter(names, questions),
    types: new TypeWriter(names, questions),
    samples: new SampleWriter(new FreeNames([]), ofSamples),
    note,
    statuses: new StatusTables(),
    shownOf: new Map(),
    shared: sharedParts(Object.keys(operationsBy(facts, true))),
  };
  const made = Object.entries(operationsBy(facts, true)).map(([operation, each]) =>
    endpointOf(making, operation, each),
  );
  making.selection.refuseUnknown();
  const base = baseUrlOf(facts);
  for (const text of [...access.notes, ...base.notes]) note(text);
  for (const each of facts.elsewhere ?? [])
    note(`${each} stands in another document: nothing is written of its fields.`);
  const body = bodyText(making, base.text, made);
  const beside = { endpoints: endpointsFile, samples: samplesFile };
  const notifications = notificationsText(making, operationsBy(facts, false), beside);
  return {
    endpoints: `${importsText(making, made, samplesFile)}\n\n${body}\n`,
    samples: samplesText(making, ofSamples),
    questions: [...questions.all, ...ofSamples.all],
    skeletons: [
      simulationText(making, made, beside),
      goldensText(making, made),
      ...(notifications === undefined ? [] : [notifications]),
    ],
    notes: [...notes],
    leftOut: Object.fromEntries([...making.selection.leftOut].map(([of, each]) => [of, [...each]])),
  };
}

function samplesText({ samples }: Making, questions: Questions): string {
  if (samples.declarations.length === 0) return '';
  const imports =
    questions.imports.length === 0 ? '' : `import { ${questions.imports.join(', ')} } from '@railyard/core';\n\n`;
  return `${imports}${samples.declarations.join('\n\n')}\n`;
}

function importsText(
  { access, questions, types }: Making,
  made: readonly EndpointModel[],
  samplesFile: string,
): string {
  const usesReply = made.some(({ replies: [first, ...more] }) => more.length > 0 || first?.isUsual !== true);
  const wanted = [
    ...access.imports,
    ...questions.imports,
    ...(types.usesNumber ? ['type JsonNumberLiteral'] : []),
    ...(usesReply ? ['reply'] : []),
    'field',
    'providerApi',
    'statusTable',
  ];
  const plain = (name: string) => name.replace('type ', '').toLowerCase();
  const names = [...new Set(wanted)].toSorted((one, other) => plain(one).localeCompare(plain(other)));
  const usesSamples = made.some(({ replies }) =>
    replies.some(({ samples }) => samples.some((each) => each.startsWith('samples.'))),
  );
  return [
    laidOut(['import ', braces(names), " from '@railyard/core';"]),
    "import * as z from 'zod';",
    ...(usesSamples ? [`import * as samples from ${quoted(samplesFile)};`] : []),
  ].join('\n');
}

const NUMERIC = `/** An amount is written exactly by a format of core: \`jsonNumber(amount, minorUnits)\`, for example. */
type Numeric = number | JsonNumberLiteral;`;

function bodyText(making: Making, baseUrl: Doc, made: readonly EndpointModel[]): string {
  const { access, facts, schemas, types } = making;
  const accounts = new Set(made.flatMap(({ request }) => request.places.flatMap(({ setting }) => setting ?? [])));
  const settings = braces([baseUrl, ...access.settings, ...[...accounts].map(accountField)], true);
  const paragraphs = [
    laidOut(['export const settings = ', hugged('z.object', settings), ';']),
    'export type Settings = z.output<typeof settings>;',
    ...making.statuses.texts(making.questions, making.names),
    '// Replies.',
    schemas.declarations.join('\n\n'),
    '// Requests.',
    ...(types.usesNumber ? [NUMERIC] : []),
    types.declarations.join('\n\n'),
    '// Endpoints.',
    apiText(facts, access, making.questions),
    ...made.flatMap(endpointTexts),
  ];
  return paragraphs
    .filter((each, index) => each !== '' && !(each.startsWith('// Re') && (paragraphs[index + 1] ?? '') === ''))
    .join('\n\n');
}

function apiText({ source, version }: Facts, { headersText: headers, token }: Access, questions: Questions): string {
  const fields: Doc[] = [
    `source: ${quoted(`${source}, ${version}`)}`,
    ...(headers === undefined ? [] : [['headers: ', headers]]),
    ...(token === undefined ? [] : [['token: ', tokenText(token, questions)]]),
  ];
  return laidOut(['export const api = providerApi(settings, ', braces(fields, true), ');']);
}

function tokenText({ path, setting, question }: NonNullable<Access['token']>, questions: Questions): Doc {
  const fields: Doc[] = [
    `path: ${quoted(path)}`,
    ...(setting === undefined ? [] : [`baseUrl: ({ ${setting} }) => ${setting}`]),
    ['client: ', questions.value(question)],
  ];
  return braces(fields, true);
}

function endpointTexts(model: EndpointModel): readonly string[] {
  const type = inputTypeText(model);
  return [
    ...(type === undefined ? [] : [laidOut([`export type ${model.inputType} = `, type, ';'])]),
    `/** ${model.operation} */\n${laidOut([`export const ${model.constant} = `, endpointText(model)])};`,
  ];
}

import { basename } from 'node:path';
import { adapterText, type WrittenAdapter } from '../import/adapter-text.ts';
import { writeFiles } from '../import/files.ts';
import { kebab } from '../import/names.ts';
import { factsOf, notificationsIn, operationsOf, sourceOf } from '../import/operations.ts';
import { withCalls } from '../import/schema-folder.ts';
import { readDescription } from '../import/read-description.ts';
import { type Answer, type Command, type Given, isSet, listOf, textOf, UsageError } from './command.ts';

export const importDescription: Command = {
  usage: 'import FILE --paths OPERATION … [--fields NAMES] [--name NAME] [--out FOLDER]',
  help: 'Writes the endpoints, reply schemas and samples of a new connector, and the beginning of its simulation, goldens and notifications, from an OpenAPI description (3.0 or 3.1; JSON, YAML, the blocks of a page in Markdown, or a folder of these), from a folder of JSON schemas, or from facts (see "railyard facts"). Decisions that no description states are written as undecided(…): the recovery after a time-out, the statuses that say that nothing was taken, the meaning of each status word, the fields that the flows read. A file with such a place neither typechecks nor loads, and the message is the question. Examples of the description become samples. Its sentence about a word is above the word. Needs the kit: npm install --save-dev @railyard/conformance',
  options: {
    paths: {
      type: 'string',
      multiple: true,
      hint: 'OPERATION',
      says: 'method and path as the description writes them, "POST /charges", or a path with all its methods; further ones may follow. Of JSON schemas with their names: "POST /charges NewCharge 201:Charge 400:Problem"',
    },
    fields: {
      type: 'string',
      multiple: true,
      hint: 'NAMES',
      says: 'the fields that the flows read and send, separated by commas, without the places of lists: data.status',
    },
    source: { type: 'string', hint: 'TEXT', says: 'where the description comes from: provider, document, address' },
    name: {
      type: 'string',
      hint: 'NAME',
      says: 'of the connector, in the names of the files; default: the name of FILE',
    },
    out: { type: 'string', hint: 'FOLDER', says: 'where the files go; default: src' },
    overwrite: { type: 'boolean', says: 'replace files that exist' },
  },
  words: [1, 100],
  async run(given, io) {
    const [file = '', ...more] = given.positionals;
    const wanted = [...listOf(given, 'paths'), ...more];
    if (wanted.length === 0) throw new UsageError('Name at least one operation: --paths "POST /charges"');
    const name = nameOf(given, file);
    const called = file === '-' ? 'Standard input' : file;
    const read = sourceOf(await readDescription(file, io), called);
    const source = 'facts' in read ? read : { description: withCalls(read.description, wanted) };
    const operations = operationsOf(source, wanted, called);
    const facts = await factsOf(
      source,
      [...operations, ...notificationsIn(source, operations)],
      textOf(given, 'source') ?? basename(called),
      true,
    );
    const fields = listOf(given, 'fields').flatMap((each) => each.split(',').map((one) => one.trim()));
    const written = adapterText(
      facts,
      name,
      fields.filter((each) => each !== ''),
    );
    const files = [
      { name: `${name}-endpoints.ts`, text: written.endpoints },
      { name: `${name}.samples.ts`, text: written.samples },
      ...written.skeletons.map(({ name: of, text }) => ({ name: `${name}.${of}.ts`, text })),
    ];
    const full = files.filter(({ text }) => text !== '');
    const paths = await writeFiles(io.cwd, textOf(given, 'out') ?? 'src', full, isSet(given, 'overwrite'));
    return answerOf(paths, written);
  },
};

/** `conekta-2.3.json`, `conekta.openapi.yaml` → `conekta`. */
function nameOf(given: Given, file: string): string {
  const [stem = ''] = basename(file).split('.');
  const name = kebab(textOf(given, 'name') ?? stem.replace(/-v?\d+$/i, ''));
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new UsageError('Name the connector, in small letters and hyphens: --name example-pay');
  return name;
}

function answerOf(files: readonly string[], { questions: first, skeletons, notes, leftOut }: WrittenAdapter): Answer {
  const questions = [...new Set([...first, ...skeletons.flatMap((each) => each.questions)])];
  const many = Object.values(leftOut).reduce((sum, each) => sum + each.length, 0);
  return {
    code: 0,
    json: { files, undecided: questions, notes, leftOut },
    text: (look) =>
      [
        `${files.slice(0, -1).join(', ')} and ${files.at(-1)} are written. They neither typecheck nor load until this is decided:`,
        look.table(
          ['undecided'],
          questions.map((each) => [each]),
        ),
        ...notes,
        ...(many > 0
          ? [`${many} fields of the description are left out: --fields writes some, --json lists all.`]
          : []),
      ].join('\n'),
  };
}

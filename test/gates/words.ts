import type { TextFile } from '../support/workspace.ts';

// Put together from parts, so that this file does not hold the words that it looks for.
const join = (...parts: string[]): string => parts.join('');

/** What belongs to a workplace or one machine's setup and not to the project. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(join('\\bcla', 'ude\\b'), 'i'), 'a tool of the workplace'],
  [new RegExp(join('\\banth', 'ropic\\b'), 'i'), 'a tool of the workplace'],
  [new RegExp(join('\\b(help', 'er|cod', 'ing) (ses', 'sion|ag', 'ent)'), 'i'), 'a role of the workplace'],
  [new RegExp(join('\\bag', 'ent', ' session\\b'), 'i'), 'a role of the workplace'],
  [new RegExp(join('\\bthe C', 'EO\\b')), 'a role of the workplace'],
  [
    new RegExp(join('(\\.\\.|/wo', 'rk)/sha', 'red(/(spec|data|design|hooks)\\b|/?[\\s"\'`)]|/?$)')),
    'a folder outside of the repository',
  ],
  [new RegExp(join('(^|[\\s"\'`(=:])/wo', 'rk/')), 'a folder of one machine'],
  [new RegExp(join('(^|[\\s"\'`(=:])/op', 't/rt\\b')), 'a folder of one machine'],
  [new RegExp(join('farm-', 'bench'), 'i'), 'a tool of the workplace'],
  [new RegExp(join('regis', 'try\\.(npm', 'js|yarn', 'pkg)'), 'i'), 'the host of a registry'],
  [new RegExp(join('npm', 'mirror|arti', 'factory|ver', 'daccio'), 'i'), 'the host of a registry'],
];

/** One line per place where a file speaks of something that is not the project. */
export function wordOffences({ path, text }: TextFile): string[] {
  return `${path}\n${text}`
    .split('\n')
    .flatMap((line, index) =>
      FOREIGN.filter(([pattern]) => pattern.test(line)).map(([, what]) => `${path}:${index}: names ${what}`),
    );
}

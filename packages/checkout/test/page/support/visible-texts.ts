import type { Texts } from '../../../src/page/texts/index.ts';

/** Attributes that a payer reads or hears, or that a script shows later. */
const READ = /\s(?:aria-label|placeholder|alt|label|data-(?:busy|missing|wrong|copied|offline|spoken))="([^"]*)"/g;

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&#39;', "'"],
  ['&quot;', '"'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
];

const plain = (text: string): string =>
  ENTITIES.reduce((so, [entity, sign]) => so.replaceAll(entity, sign), text)
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim()
    .replace(/:$/, '')
    .replace(/^\((.*)\)$/, '$1');

/** Every text of a page that a payer can come to read, hidden ones among them. */
export function visibleTexts(document: string): string[] {
  const shown = document.replaceAll(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, '').replaceAll(/<\/?time\b[^>]*>/g, '');
  const words = [...shown.matchAll(/\sdata-words="([^"]*)"/g)].flatMap(([, json = '']) =>
    Object.values<unknown>(JSON.parse(plain(json))).map(String),
  );
  const attributes = [...shown.matchAll(READ)].map(([, text = '']) => text);
  const title = (/<title>([\s\S]*?)<\/title>/.exec(shown)?.[1] ?? '').split(/ · |: /);
  const nodes = shown.replace(/<title>[\s\S]*?<\/title>/, '').split(/<[^>]*>/);
  return [...words, ...[...attributes, ...title, ...nodes].map(plain)].filter((text) => /\p{L}/u.test(text));
}

const escaped = (text: string): string => plain(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const SAMPLE = '242';
const SAMPLES = [SAMPLE, '373', '151'];

/** Values of one, of several and none at each place of a text, and the unit of time that the last place may be. */
const VALUES = ['day', 'month'].flatMap((unit) =>
  [SAMPLES[0], 1, undefined].flatMap((first) =>
    [SAMPLES[1], 1, undefined].flatMap((second) =>
      [SAMPLES[2], 1].map((third) => [first, second, third, unit] as const),
    ),
  ),
);

/** A text of the table with values in it, as it is with one of something and with several. */
function patternsOf(text: (...values: never[]) => string): string[] {
  const made = VALUES.map((values): unknown => Reflect.apply(text, undefined, values));
  return made.map((sentence) => SAMPLES.reduce((so, sample) => so.replace(sample, '.+'), escaped(String(sentence))));
}

function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string') return [escaped(value.replaceAll(/\{\w+\}/g, SAMPLE)).replaceAll(SAMPLE, '.+')];
  if (typeof value === 'function') return patternsOf((...values) => String(Reflect.apply(value, undefined, values)));
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesOf) : [];
}

/** Whether a text is one of a language's table. */
export function saidIn({ say: _formatter, ...texts }: Texts): (text: string) => boolean {
  const patterns = [...new Set(sentencesOf(texts))].map((sentence) => new RegExp(`^${sentence}$`, 'u'));
  return (text) => patterns.some((pattern) => pattern.test(text));
}

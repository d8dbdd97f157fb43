import { describe, expect, test } from 'vitest';
import { cpuMilliseconds, slowness } from '../../../test/support/cpu.ts';
import { cardMask, withoutLongNumbers } from '../src/card-mask.ts';
import { readBody } from '../src/codecs.ts';
import { redact, withoutTexts } from '../src/redact.ts';

/** As much as a provider may answer. */
const SIZE = 1_048_576;
const CARD = '4111111111111111';
const repeated = (text: string) => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);

/** Texts that make a scan look at every place, or begin again at every place. */
const hostile: readonly (readonly [what: string, text: string])[] = [
  ['digits', repeated('1')],
  ['digits apart', repeated('1 ')],
  ['pairs of digits', repeated('41-')],
  ['digits two signs apart', repeated('1  ')],
  ['digits that are nearly a card', repeated(`${CARD.slice(0, 15)}2 `)],
  ['cards', repeated(`${CARD} `)],
  ['cards in groups', repeated('4111 1111 1111 1111 ')],
  ['codes', repeated('737 ')],
  ['codes without an end', repeated('737')],
  ['signs of Base64', repeated('A')],
  ['blanks', repeated(' ')],
];

/** Milliseconds of CPU for a megabyte, several times what a machine at rest takes; a scan that begins anew at each place takes ten times as long. */
const BUDGET_MS = 1000;

const opened: Readonly<Record<string, string>> = {
  number: CARD,
  cvv: '737',
  cryptogram: 'AMwBRjPWDnAgAA7Rls7mAoABFA==',
};
const mask = cardMask({ openCard: ({ part }) => opened[part], isCardNumber: (digits) => digits === CARD });

async function expectCheap(run: () => unknown): Promise<void> {
  const limit = BUDGET_MS * slowness();
  expect(await cpuMilliseconds(limit, run)).toBeLessThan(limit);
}

describe('one megabyte is read in time in proportion to its size:', () => {
  test.each(hostile)('%s, masked as a reply and as a line of the log', async (_what, text) => {
    await expectCheap(() => mask.reply({ text }));
    await expectCheap(() => mask.text(text));
    await expectCheap(() => withoutLongNumbers(text));
    await expectCheap(() => withoutTexts(redact({ text }, ['text']), ['nearly secret', '1 1 1 1 2', 'AAAAB']));
  });

  test.each([
    ['JSON of digits', 'json', `{"a":"${'1 '.repeat(500_000)}"}`],
    ['JSON of numbers', 'json', `[${'1,'.repeat(500_000)}1]`],
    ['JSON of lists', 'json', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['XML of elements', 'xml', `<a>${'<b/>'.repeat(250_000)}</a>`],
    ['XML of open elements', 'xml', '<a>'.repeat(300_000)],
    ['XML of signs that begin elements', 'xml', `<a>${'<'.repeat(1_000_000)}</a>`],
    ['XML of entities', 'xml', `<a>${'&amp;'.repeat(200_000)}</a>`],
    ['XML of attributes', 'xml', `<a ${'b="c" '.repeat(150_000)}/>`],
    ['XML of comments that do not end', 'xml', `<a>${'<!--'.repeat(250_000)}`],
    ['XML of sections that do not end', 'xml', `<a>${'<![CDATA['.repeat(100_000)}`],
    ['XML of blanks', 'xml', `<a${' '.repeat(1_000_000)}`],
    ['a form of fields', 'form', 'a=b&'.repeat(250_000)],
    ['a form of ampersands', 'form', '&'.repeat(1_000_000)],
  ] as const)('%s', async (_what, codec, text) => {
    await expectCheap(() => readBody(text, codec));
  });
});

import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { pageModel, states } from './support/models.ts';
import { type PageServer, startPageServer } from './support/page-server.ts';
import { autofill, BROWSERS, inputOf, play, shown, typingPages, wrongWith } from './support/typing.ts';

/** What is typed, and what then stands in the field with its caret. */
const NUMBERS = [
  ['a number', '4111111111111111', '4111 1111 1111 1111|'],
  ['its spaces too', '4111 1111 1111 1111', '4111 1111 1111 1111|'],
  ['dashes between the groups', '4111-1111-1111-1111', '4111 1111 1111 1111|'],
  ['dots between the groups', '4111.1111.1111.1111', '4111 1111 1111 1111|'],
  ['fifteen digits in groups of their own', '378282246310005', '3782 822463 10005|'],
  ['fourteen digits', '36227206271667', '3622 720627 1667|'],
  ['nineteen digits', '6205500000000000004', '6205 5000 0000 0000 004|'],
  ['one digit too many, which stays to be corrected', '44444444444444444444', '4444 4444 4444 4444 4444|'],
  ['a pasted number with dashes', '<paste:4111-1111-1111-1111>', '4111 1111 1111 1111|'],
  ['a pasted number with blanks around it', '<paste:  4111 1111 1111 1111 >', '4111 1111 1111 1111|'],
  ['full-width digits', '<paste:４１１１１１１１１１１１１１１１>', '4111 1111 1111 1111|'],
  ['Arabic digits', '<paste:٤١١١١١١١١١١١١١١١>', '4111 1111 1111 1111|'],
  ['a paste into the middle', '41111111<Home><ArrowRight*4><paste:2222>', '4111 2222| 1111'],
  ['a group that begins', '41111', '4111 1|'],
  ['a group that is taken back', '41111<Backspace>', '4111|'],
  ['a digit of the group before it too', '41111<Backspace*2>', '411|'],
  ['Backspace for every digit', '41112222<Backspace*8>', '|'],
  ['Backspace behind a separator', '41112222<ArrowLeft*4><Backspace>', '411|2 222'],
  ['Backspace twice behind a separator', '41112222<ArrowLeft*4><Backspace*2>', '41|22 22'],
  ['Delete before a separator', '41112222<Home><ArrowRight*4><Delete>', '4111| 222'],
  ['Delete before a separator to the end', '41112222<Home><ArrowRight*4><Delete*4>', '4111|'],
  ['Delete in the middle', '378282246310005<Home><ArrowRight*6><Delete>', '3782 8|24631 0005'],
  ['a digit in the middle', '378282246310005<Home><ArrowRight*6><Delete>2', '3782 82|2463 10005'],
  ['a digit at the edge of a group', '4111222<Home><ArrowRight*4>9', '4111 9|222'],
  ['another first digit, which groups anew', '4782822<Home><Delete>3', '3|782 822'],
  ['all selected and typed over', '4111<Control+a>5', '5|'],
  ['all selected and deleted', '41112222<Control+a><Delete>', '|'],
  ['digits selected across a separator', '41112222<Home><ArrowRight*2><Shift+ArrowRight*5><Delete>', '41|22'],
  ['a letter, which stays to be corrected', '4111x1', '4111x1|'],
  ['a letter that is taken back', '4111x1<ArrowLeft><Backspace>', '4111| 1'],
] as const;

const EXPIRIES = [
  ['01/38', '01 / 38|'],
  ['01 / 38', '01 / 38|'],
  ['01-38', '01 / 38|'],
  ['01.38', '01 / 38|'],
  ['01 38', '01 / 38|'],
  ['0138', '01 / 38|'],
  ['1/38', '01 / 38|'],
  ['01/38 ', '01 / 38|'],
  ['12/2038', '12 / 2038|'],
  ['122038', '12 / 2038|'],
  ['2038-12', '12 / 2038|'],
  ['０１／３８', '01 / 38|'],
] as const;

const DATES_EDITED = [
  ['Backspace for every digit', '0138<Backspace*4>', '|'],
  ['Backspace behind the mark that came by itself', '01<Backspace>', '0|'],
  ['another month', '0138<Home><Delete*2>12', '12| / 38'],
  ['another year', '0138<Backspace*2>40', '01 / 40|'],
  ['Delete before the mark', '0138<Home><ArrowRight*2><Delete>', '01| / 8'],
] as const;

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());

describe.each(BROWSERS)('in $name', (kind) => {
  const newPage = typingPages(kind);
  const open = async (ctx: TestContext, name: string) => {
    const page = await newPage(ctx);
    await page.goto(server.url(server.serve(pageModel(states.card))));
    return { page, input: await inputOf(page, `card.${name}`) };
  };

  test.for(NUMBERS)('the card number takes %s', async ([_name, script, expected], ctx) => {
    const { page, input } = await open(ctx, 'number');
    await play(page, input, script);
    expect(await shown(input)).toBe(expected);
  });

  test.for(EXPIRIES)('the expiry date takes "%s", typed, pasted and filled in', async ([text, expected], ctx) => {
    const { page, input } = await open(ctx, 'expiry');
    await play(page, input, text);
    expect([await shown(input), await wrongWith(input)]).toEqual([expected, '']);
    await play(page, input, `<Control+a><Delete><paste:${text}>`);
    expect([await shown(input), await wrongWith(input)]).toEqual([expected, '']);
    await autofill(input, text);
    expect([(await shown(input)).replace('|', ''), await wrongWith(input)]).toEqual([expected.replace('|', ''), '']);
  });

  test.for(DATES_EDITED)('the expiry date takes %s', async ([_name, script, expected], ctx) => {
    const { page, input } = await open(ctx, 'expiry');
    await play(page, input, script);
    expect(await shown(input)).toBe(expected);
  });

  test.for([
    ['an American Express', '378282246310005', '1234|'],
    ['a Visa', '4111111111111111', '123|'],
    ['a card that is not known yet', '', '1234|'],
  ] as const)('the security code of %s has its length', async ([_name, number, expected], ctx) => {
    const { page, input } = await open(ctx, 'cvv');
    await play(page, await inputOf(page, 'card.number'), number);
    await play(page, input, '12345');
    expect([await shown(input), await wrongWith(input)]).toEqual([expected, '']);
  });
});

import { expect, test } from 'vitest';
import { readCommandBody } from '../../src/http/commands/routes.ts';

const FORM = 'application/x-www-form-urlencoded';
const read = (text: string, charset = '') => readCommandBody(Buffer.from(text, 'utf8'), FORM, `${FORM}${charset}`);
const refused = { error_code: 100000, error_message: 'body: This value contains characters that are not allowed.' };

test.each(['iso-8859-1', 'ISO-8859-1', 'windows-1252', 'latin1'])(
  'a form is read by its declared charset: %s',
  async (charset) => {
    const body = await read(
      'order_description=Caf%E9+%26+th%e9&parameters%5Bkey%5D=%FC&empty=',
      `; charset=${charset}`,
    );
    expect(body).toEqual({ ok: true, body: { order_description: 'Café & thé', parameters: { key: 'ü' } } });
  },
);

test.each(['', '; charset=utf-8', '; charset=koi8-r'])(
  'a form with bytes that its charset does not have is refused: "%s"',
  async (charset) => {
    const body = await read('order_description=Caf%E9', charset);
    expect(body.ok ? body : body.answer).toMatchObject({ status: 400, body: { errors: [refused] } });
  },
);

test.each(['', '; charset=UTF-8'])('a form in UTF-8 is read as before: "%s"', async (charset) => {
  const body = await read('order_description=Caf%C3%A9+山', charset);
  expect(body).toEqual({ ok: true, body: { order_description: 'Café 山' } });
});

import { expect, it } from 'vitest';
import file from './fixtures/bad-inputs.json' with { type: 'json' };
import { answer, sessionOf } from './support/sessions.ts';

const LIST = 'parameters.open-banking.payee_identifications';

/** What each entry is answered with. The list leaves B533 and B535 open: a card number is taken, three letters are refused. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  B525: [`${LIST}: This collection should contain 1 element or more.`],
  B529: [`${LIST}.0.identification: This value should not be blank.`],
  B530: [`${LIST}.0.identification: This value is not valid. Expected an IBAN with right check digits.`],
  B532: [`${LIST}.0.identification: This value is not valid. Expected 6 digits.`],
  B533: [],
  B535: [
    'parameters.open-banking.payee_country: This value is not a valid country. Send two capital letters (ISO 3166-1 alpha-2), GB for example.',
  ],
};

it('answers every entry of the list', () => {
  expect(file.inputs.map(({ id }) => id)).toEqual(Object.keys(ANSWERS));
});

it('takes the unpatched request', () => {
  expect(answer(sessionOf('open-banking', file.base['open-banking']))).toEqual([]);
});

it.each(file.inputs)('$id: $description', ({ id, patch }) => {
  const parameters: Record<string, unknown> = { ...file.base['open-banking'] };
  for (const { path, value } of patch) parameters[path.split('/').at(-1) ?? ''] = value;
  expect(answer(sessionOf('open-banking', parameters))).toEqual(ANSWERS[id]);
});

import { TEXTS } from '@railyard/core';
import { inLanguage } from '@railyard/core/registry';
import { describe, expect, test } from 'vitest';
import { labelIn, messageIn, textsIn } from '../../src/page/texts/index.ts';
import * as fc from '../../../../test/support/properties.ts';

const page = textsIn('pt-BR');
const said = (message: string): string => messageIn(page, message);

describe('a message about an entry', () => {
  test.each([
    [TEXTS.tooShort, 'Texto curto demais. Mínimo de caracteres: '],
    [TEXTS.tooLong, 'Texto longo demais. Máximo de caracteres: '],
    [TEXTS.exactLength, 'Número exato de caracteres: '],
    [TEXTS.atLeast, 'O valor deve ser maior ou igual a '],
    [TEXTS.atMost, 'O valor deve ser menor ou igual a '],
    [TEXTS.above, 'O valor deve ser maior que '],
    [TEXTS.below, 'O valor deve ser menor que '],
    [TEXTS.multipleOf, 'O valor deve ser múltiplo de '],
    [TEXTS.decimals, 'Máximo de casas decimais: '],
  ])('is known whatever its number: %s', (written, begin) => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        const shown = new Intl.NumberFormat('pt-BR').format(number);
        expect(said(written(number))).toBe(`${begin}${shown}.`);
      }),
    );
  });

  test('keeps its limits apart, and writes them as the language does', () => {
    expect(said(TEXTS.between('1.50', '1000.00'))).toBe('O valor deve estar entre 1,50 e 1.000,00.');
    expect(said(TEXTS.atLeast('2026-01-31'))).toBe('O valor deve ser maior ou igual a 2026-01-31.');
  });

  test('that a connector wrote in one language stays as it is, and is otherwise in the language of the page', () => {
    expect(said('Use a branch of ours.')).toBe('Use a branch of ours.');
    expect(messageIn(page, { en: 'Wrong.', pt: 'Errado.' })).toBe('Errado.');
    expect(messageIn(page, { en: 'Wrong.', fr: 'Faux.' })).toBe('Wrong.');
    expect(messageIn(textsIn('en'), TEXTS.unexpected)).toBe(TEXTS.unexpected);
  });
});

describe('a label', () => {
  test('of a connector in several languages counts more than the page’s own', () => {
    const label = { en: 'Cardholder', pt: 'Nome do titular' };
    expect(labelIn(page, { name: 'customer.name', label })).toBe('Nome do titular');
    expect(labelIn(page, { name: 'customer.name', label: 'Cardholder' })).toBe('Nome completo');
    expect(labelIn(textsIn('en'), { name: 'customer.name', label: 'Cardholder' })).toBe('Cardholder');
    expect(labelIn(page, { name: 'parameters.x.y', label: 'Branch' })).toBe('Branch');
  });

  test('is found by the whole tag before the language that it is a variety of', () => {
    const text = { en: 'Phone', pt: 'Telefone', 'pt-BR': 'Celular' };
    expect(['pt-BR', 'pt-PT', 'pt', 'de'].map((tag) => inLanguage(text, tag))).toEqual([
      'Celular',
      'Telefone',
      'Telefone',
      'Phone',
    ]);
  });
});

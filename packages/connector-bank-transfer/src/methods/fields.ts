import { field, type FieldInfo, type PayerText, type Rule, TEXTS } from '@railyard/core';
import * as z from 'zod';

interface Number {
  readonly label: PayerText;
  readonly help?: PayerText;
  readonly pattern: RegExp;
  /** Takes off what people write between the groups. */
  readonly read?: (text: string) => string;
  readonly input?: 'text' | 'digits';
  readonly when?: NonNullable<FieldInfo['when']>;
  readonly example: string;
}

/** A number that the request carries or the payer types, as people write it; the flow gets it bare. */
export const typedNumber = ({ pattern, read = (text) => text.trim(), input = 'text', ...info }: Number) =>
  field(
    z.string().transform((text, context) => {
      const value = read(text);
      if (pattern.test(value)) return value;
      context.issues.push({ code: 'custom', input: text, message: text.trim() === '' ? TEXTS.blank : TEXTS.notValid });
      return z.NEVER;
    }),
    { ...info, input, sources: ['payer'] },
  );

export const WRONG_CHECK_DIGIT = {
  en: 'The check digit of this number is not correct.',
  pt: 'O dígito verificador deste número não está certo.',
};

export const checkDigit = (path: string, says: string, isRight: (value: string) => boolean): Rule => ({
  paths: [path],
  level: 'document',
  says,
  check: (parameters) => (isRight(String(parameters[path])) ? undefined : { path, message: WRONG_CHECK_DIGIT }),
});

import { TEXTS } from '@railyard/core';
import * as z from 'zod';

/** A text as people write it; the flow gets it as `read` does, which answers nothing for one that is wrong. */
export const typed = (read: (text: string) => string | undefined) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', input: text, message: text.trim() === '' ? TEXTS.blank : TEXTS.notValid });
    return z.NEVER;
  });

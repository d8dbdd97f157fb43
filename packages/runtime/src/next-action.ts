import { isDeepStrictEqual } from 'node:util';
import { TEXTS } from '@railyard/core';
import { issuesOfZod } from '@railyard/core/protocol';
import type { SigningMoment } from '@railyard/core/driver';
import { choicesOf, fieldInfo } from '@railyard/core/registry';
import { signedRequest } from './jose.ts';
import type { Signal, SignalProblem, NextAction, PayerEffect } from './run.ts';
import { type PlainJson, plainJson } from './plain-json.ts';

/**
 * A suspended effect as data that a page can render.
 *
 * @param mayHaveMoved whether anything was sent before that may move money by itself
 * @param moment when a request object is signed
 */
export function nextActionOf(
  effect: PayerEffect,
  step: string,
  mayHaveMoved: boolean,
  moment: SigningMoment,
): NextAction {
  const mayTurnBack = !mayHaveMoved || effect.mayTurnBack === true;
  if (effect.kind === 'visit') {
    const { purpose, url, method, reference, requestObject, signedAnswer } = effect;
    const signed = requestObject && { request: signedRequest(requestObject, effect.fields, moment) };
    const fields = { ...effect.fields, ...signed };
    const inFragment = signedAnswer?.by === 'id_token' && { inFragment: true as const };
    return { kind: 'visit', step, purpose, url, method, fields, reference, mayTurnBack, ...inFragment };
  }
  const fields = Object.entries(effect.fields.shape).map(([name, schema]) => {
    const info = fieldInfo(schema, name);
    const options = effect.options?.[name] ?? choicesOf(schema);
    return {
      name,
      label: info.label,
      input: options === undefined ? (info.input ?? 'text') : 'select',
      required: !effect.fields.shape[name]?._zod.optin,
      ...(info.secret === true && { secret: true as const }),
      ...(info.help !== undefined && { help: info.help }),
      ...(info.autocomplete !== undefined && { autocomplete: info.autocomplete }),
      ...(options && { options }),
    };
  });
  return {
    kind: 'collect',
    step,
    fields,
    ...(effect.error !== undefined && { error: effect.error }),
    resend: effect.resend === true,
    mayTurnBack,
  };
}

/** Whether an answer is meant for this step. A late answer to an earlier question is not. */
export function isFor(answer: Signal, effect: PayerEffect, step: string): boolean {
  return 'step' in answer ? answer.step === step : effect.kind === 'visit' && effect.reference === answer.reference;
}

/**
 * Whether this visit already has this answer by reference: the payer's browser and a notification bring the same
 * values, and the later of them must not answer a second visit under the same reference.
 */
export function repeats(answer: Signal, effect: PayerEffect, reply: PlainJson | undefined): boolean {
  if (effect.kind !== 'visit' || !('reference' in answer) || answer.reference !== effect.reference) return false;
  if (Object.keys(answer.values).length === 0) return false;
  const read = readSignal(answer, effect);
  return read.ok && isDeepStrictEqual(read.reply, reply);
}

export type ReadSignal =
  | { readonly ok: true; readonly reply: PlainJson }
  | { readonly ok: false; readonly problems: readonly SignalProblem[] };

/** Checks an answer against the question: its schema, and its choices where it has some. */
export function readSignal(answer: Signal, effect: PayerEffect): ReadSignal {
  if ('resend' in answer) {
    if (effect.kind === 'collect' && effect.resend === true) return { ok: true, reply: { resend: true } };
    return { ok: false, problems: [{ field: '', message: 'Nothing can be sent again here.' }] };
  }
  const schema = effect.kind === 'collect' ? effect.fields : effect.until;
  const parsed = schema.safeParse(answer.values);
  if (!parsed.success)
    return {
      ok: false,
      problems: issuesOfZod(parsed.error, { input: answer.values }).map(({ path, message }) => ({
        field: path,
        message,
      })),
    };
  if (effect.kind === 'visit') return { ok: true, reply: plainJson(parsed.data, 'The values that came back') };
  for (const [name, options] of Object.entries(effect.options ?? {}))
    if (parsed.data[name] !== undefined && !options.some((option) => option.value === parsed.data[name]))
      return { ok: false, problems: [{ field: name, message: TEXTS.choice }] };
  const values = plainJson(parsed.data, 'The answer');
  return { ok: true, reply: effect.resend === true ? { resend: false, values } : values };
}

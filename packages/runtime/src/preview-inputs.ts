import { flowOf } from './flow-of.ts';
import { exampleReply, type PreviewAnswers, type Walk, walk } from './preview-walk.ts';
import { leavesOf, otherCurrency, variations, withLeaf } from './provenance.ts';
import type { Run } from './run.ts';
import { isSecretNeed, isSecretParameter, isSecretPlace, isSecretSetting } from './secret-places.ts';

/** One input of a flow, and walks with it changed. */
export interface Input {
  /** A session path, `settings.…`, `reply of …`, `answer to …`, `step key`, or a name of the context. */
  readonly source: string;
  readonly secret: boolean;
  readonly changes: readonly (() => Walk)[];
}

/** Everything that a request may have been made from. */
export function inputsOf(run: Run, shown: Walk, answers: PreviewAnswers): Input[] {
  return [
    ...contextInputs(run, answers),
    ...settingInputs(run, answers),
    { source: 'step key', secret: false, changes: [() => walkOf({ ...run, id: `${run.id}7` }, answers)] },
    ...replyInputs(run, shown, answers),
    ...turnInputs(run, shown, answers),
  ];
}

function walkOf(run: Run, answers: PreviewAnswers): Walk {
  return walk(run, flowOf(run), answers);
}

function contextInputs(run: Run, answers: PreviewAnswers): Input[] {
  const { settings: _settings, ...context } = settingsIn(run.context);
  return leavesOf(context).flatMap(([place, value]): Input[] => {
    const changed = (other: unknown) => () =>
      walkOf({ ...run, context: asObject(withLeaf(run.context, place, other), run.context) }, answers);
    const source = sourceOf(place);
    const secret = isSecretSource(run, source);
    const currency = otherCurrency(value);
    return [
      { source, secret, changes: variations(value).map(changed) },
      ...(currency === undefined ? [] : [{ source: 'order.currency', secret: false, changes: [changed(currency)] }]),
    ];
  });
}

function settingsIn(context: object): { readonly settings?: unknown } {
  return context;
}

/** Where a value of the context stands in the session, under the protocol's name. */
function sourceOf(place: string): string {
  return place === 'payment.amount' ? 'order.amount' : place.replace(/^payment\./, '');
}

function isSecretSource({ method }: Run, source: string): boolean {
  if (source.startsWith('card.')) return true;
  if (source.startsWith('parameters.')) return isSecretParameter(method, source.slice('parameters.'.length));
  return isSecretNeed(method, source.replace(/^needed\./, ''));
}

function settingInputs(run: Run, answers: PreviewAnswers): Input[] {
  return leavesOf(run.settings).map(([place, value]) => ({
    source: `settings.${place}`,
    secret: isSecretSetting(run.connector, place),
    changes: variations(value).map((other) => () => {
      const settings = withLeaf(run.settings, place, other);
      // The flow is given the changed settings both as its own and in the request builders.
      return walkOf({ ...run, settings, context: { ...run.context, settings } }, answers);
    }),
  }));
}

function replyInputs(run: Run, shown: Walk, answers: PreviewAnswers): Input[] {
  return shown.requests.flatMap(({ step, endpoint, secret }) => {
    const reply = Object.hasOwn(answers.replies, step) ? answers.replies[step] : exampleReply(endpoint);
    return leavesOf(reply).flatMap(([place, value]): Input[] => {
      if (place === 'reply' && !endpoint.plain) return [];
      const name = endpoint.plain ? place : place.replace(/^body\.?/, '');
      const changes = variations(value).map((other) => () => {
        const replies = { ...answers.replies, [step]: withLeaf(reply, place, other) };
        return walkOf(run, { ...answers, replies });
      });
      return [{ source: name === '' ? `reply of ${step}` : `reply of ${step}: ${name}`, secret, changes }];
    });
  });
}

function turnInputs(run: Run, shown: Walk, answers: PreviewAnswers): Input[] {
  return shown.signals.flatMap(({ step, fields, values }) =>
    leavesOf(values).map(([place, value]) => {
      // A question that may be sent again is answered with `values`.
      const name = place.replace(/^values\./, '');
      const changes = variations(value).map((other) => () => {
        const signals = { ...answers.signals, [step]: asRecord(withLeaf(values, place, other)) };
        return walkOf(run, { ...answers, signals });
      });
      return { source: `answer to ${step}: ${name}`, secret: isSecretPlace(fields, name.split('.')), changes };
    }),
  );
}

function asObject(value: unknown, otherwise: object): object {
  return typeof value === 'object' && value !== null ? value : otherwise;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

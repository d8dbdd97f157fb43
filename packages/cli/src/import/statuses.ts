import type { Shape } from './shape.ts';

/** Fields in which providers write what became of a payment. */
const STATUS = /(?:status|state|result_?code)$/i;

/** The words of the status fields of a reply, those that the description lists. */
export function statusWords(shape: Shape, name = ''): readonly string[] {
  switch (shape.kind) {
    case 'object':
      return shape.fields.filter(({ kept }) => kept).flatMap((each) => statusWords(each.shape, each.name));
    case 'list':
      return statusWords(shape.of, name);
    case 'either':
      return shape.of.flatMap((each) => statusWords(each, name));
    case 'text':
      return STATUS.test(name) ? (shape.words ?? []) : [];
    case 'fixed':
      return STATUS.test(name) && typeof shape.value === 'string' ? [shape.value] : [];
    default:
      return [];
  }
}

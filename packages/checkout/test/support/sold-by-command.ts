import type { Simulator } from '@railyard/simulator';
import { expect } from 'vitest';
import { SESSION_PATHS } from '../../src/http/commands/fields.ts';
import { apmSaleFields } from './apm-commands.ts';
import { type Fields, payoutFields, sendCommand, toldCommand } from './commands.ts';
import type { Receiver } from './receiver.ts';
import type { sessionBody } from './service.ts';

interface Running {
  readonly url: string;
  readonly shop: Receiver;
  readonly simulator: Simulator;
}

/** Everything within a value, by its name in brackets. */
function inBrackets(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([part, each]) => inBrackets(`${name}[${part}]`, each));
}

/** The fields of a command that say what a session says at these paths. */
function fieldAt(path: string, value: unknown, key: string): [string, string][] {
  const own = `parameters.${key}`;
  if (path.startsWith(`${own}.`)) return inBrackets(`parameters[${path.slice(own.length + 1)}]`, value);
  if (path === 'customer.name' || path === 'payee.name') {
    const party = path === 'customer.name' ? 'payer' : 'payee';
    const [first = '', ...last] = String(value).split(' ');
    return [
      [`${party}_first_name`, first],
      [`${party}_last_name`, last.join(' ') || first],
    ];
  }
  const [field] = Object.entries(SESSION_PATHS).find(([, each]) => each === path) ?? [];
  return field === undefined ? [] : [[field, String(value)]];
}

/** The command that asks for what a session asks for, with what its payer would type. */
export function commandOf(body: ReturnType<typeof sessionBody>, typed: Fields = {}): Fields {
  const { methods, operation, order, ...blocks } = Object(body);
  const [key]: string[] = methods;
  if (key === undefined) throw new Error('The session names no method.');
  const { number: _number, ...ordered } = order;
  const paths = Object.entries({ ...blocks, order: ordered }).flatMap(([block, value]) =>
    Object.entries(Object(value)).flatMap(([name, each]): [string, unknown][] =>
      block === 'parameters'
        ? Object.entries(Object(each)).map(([part, inner]) => [`parameters.${name}.${part}`, inner])
        : [[`${block}.${name}`, each]],
    ),
  );
  const fields = Object.fromEntries(
    [...paths, ...Object.entries(typed)].flatMap(([path, value]) => fieldAt(path, value, key)),
  );
  if (operation !== 'credit') return apmSaleFields({ brand: key, ...fields });
  const { 'parameters[key]': _pix, ...payout } = payoutFields({ brand: key, ...fields });
  return { ...payout, ...fields };
}

/** How often money has moved. */
const settled = (simulator: Simulator) => simulator.ledger().filter(({ effect }) => effect === 'settled').length;

/**
 * Sells by command what a session sells by page, to the last callback.
 *
 * @param asks whether the flow asks the payer something after the button, which no command can: the sale is declined, and no money moves
 */
export async function expectSold(
  { url, shop, simulator }: Running,
  body: ReturnType<typeof sessionBody>,
  typed?: Fields,
  asks = false,
): Promise<void> {
  const [before, moved] = [simulator.payments().length, settled(simulator)];
  const fields = commandOf(body, typed);
  const { status, json } = await sendCommand(url, fields);
  const { decline_reason } = json;
  const answered = { status, declined: json['result'] === 'DECLINED', decline_reason };
  const reason = asks ? expect.stringContaining('The payer has to enter something') : undefined;
  expect(answered, JSON.stringify(json)).toEqual({ status: 200, declined: asks, decline_reason: reason });
  if (asks) {
    expect(settled(simulator)).toBe(moved);
    return;
  }
  const made = simulator.payments();
  expect(made).toHaveLength(before + 1);
  if (json['status'] !== 'SETTLED') simulator.settle(made.at(-1)?.id ?? '');
  expect(await toldCommand(shop, fields['order_id'], 'SETTLED')).toMatchObject({ result: 'SUCCESS' });
}

import { signCommand } from '@railyard/core/protocol';
import { type Fields, sendCommand } from './commands.ts';
import { merchant } from './service.ts';

type Signer = Pick<typeof merchant, 'key' | 'password'>;

const TERMS = { name: 'Gold', interval_length: '1', interval_unit: 'month', payments_count: '12' };

/** The schedule commands of a merchant's server. */
export function scheduleCommands(url: string, { key, password }: Signer = merchant) {
  const on = async (action: string, schedule_id: string, change: Fields = {}) =>
    sendCommand(url, {
      action,
      client_key: key,
      ...(schedule_id !== '' && { schedule_id }),
      hash: signCommand('schedule', { schedule_id }, password),
      ...change,
    });
  /** Asks for a monthly schedule of twelve charges, unless changed. */
  const ask = async (change: Fields = {}) => on('CREATE_SCHEDULE', '', { ...TERMS, ...change });
  return {
    on,
    ask,
    /** The same, where it is made. @returns its id */
    create: async (change: Fields = {}): Promise<string> => String((await ask(change)).json['schedule_id']),
  };
}

/** A clock that a test sets. */
export function settableClock(start: string) {
  let now = Date.parse(start);
  return {
    clock: () => now,
    set(to: string) {
      now = Date.parse(to);
    },
  };
}

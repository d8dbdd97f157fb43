import { expect, test } from 'vitest';
import { openedWhenUsed } from '../src/opened-when-used.ts';

function counted() {
  const counts = { opened: 0, closed: 0 };
  const client = { close: async () => void (counts.closed += 1) };
  const used = openedWhenUsed(async () => {
    counts.opened += 1;
    return client;
  });
  return { counts, client, used };
}

test('is opened once, however many use it first', async () => {
  const { counts, client, used } = counted();
  expect(await Promise.all([used.get(), used.get()])).toEqual([client, client]);
  await used.close();
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test('is not opened to be closed', async () => {
  const { counts, used } = counted();
  await used.close();
  expect(counts).toEqual({ opened: 0, closed: 0 });
});

test('is closed where it was closed before it was used', async () => {
  const { counts, used } = counted();
  await used.close();
  await used.get();
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test('is closed where it is closed while it is being opened', async () => {
  const { counts, used } = counted();
  const first = used.get();
  await used.close();
  await first;
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test('what could not be opened is tried again by the next use', async () => {
  const tries = [new Error('no files left'), undefined];
  const client = { close: async () => {} };
  const used = openedWhenUsed(async () => {
    const fault = tries.shift();
    if (fault !== undefined) throw fault;
    return client;
  });
  await expect(used.get()).rejects.toThrow('no files left');
  expect(await used.get()).toBe(client);
});

test('closing while it cannot be opened is no error', async () => {
  const used = openedWhenUsed(async (): Promise<{ close(): Promise<void> }> => {
    throw new Error('no files left');
  });
  const first = used.get();
  await used.close();
  await expect(first).rejects.toThrow('no files left');
});

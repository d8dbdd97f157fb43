import { AsyncLocalStorage } from 'node:async_hooks';
import type { Directory } from './directory.ts';

/** A directory whose content is replaced while the service runs. */
export interface LiveDirectory extends Directory {
  /** From now on this is what is looked into. */
  swap(next: Directory): void;
  /** Does something that sees one and the same content from beginning to end: a request keeps what it began with. */
  pinned<T>(work: () => T): T;
}

export function liveDirectory(first: Directory, onTaken: (taken: Directory) => void = () => undefined): LiveDirectory {
  onTaken(first);
  const pins = new AsyncLocalStorage<Directory>();
  let newest = first;
  const current = () => pins.getStore() ?? newest;
  return {
    get registry() {
      return current().registry;
    },
    find: (merchantKey) => current().find(merchantKey),
    merchantOf: (session) => current().merchantOf(session),
    mid: (id) => current().mid(id),
    merchants: () => current().merchants(),
    get callbackAddresses() {
      return current().callbackAddresses;
    },
    get secrets() {
      return current().secrets;
    },
    swap(next) {
      onTaken(next);
      newest = next;
    },
    pinned: (work) => pins.run(current(), work),
  };
}

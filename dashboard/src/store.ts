import { useSyncExternalStore } from "react";

/** A value outside of React that components subscribe to. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  use(): Value;
}

export function createStore<Value>(first: Value): Store<Value> {
  let current = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const get = (): Value => current;
  return {
    get,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

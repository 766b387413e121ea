import { createStore } from './store.ts';
import { readPreferences, type Preferences } from './preferences.ts';

const key = 'dependency-watchdog-inspector';

/** What the reader chose. A browser that keeps nothing for this page, as a private window may, forgets it with the page. */
export const preferences = createStore<Preferences>(readPreferences(remembered()));

export function prefer(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change };
  preferences.set(next);
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // It is chosen for this page all the same.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

import type { Zone } from '../format/texts.ts';

/** What the reader chose, and this browser remembers. */
export type Preferences = Readonly<{ zone: Zone; theme: Theme }>;

export type Theme = 'system' | 'light' | 'dark';

const usualPreferences: Preferences = { zone: 'utc', theme: 'system' };

/** Reads what was remembered; whatever cannot be read is as usual. */
export function readPreferences(text: string | null): Preferences {
  const { zone, theme } = plain(text);
  return {
    zone: zone === 'local' ? zone : usualPreferences.zone,
    theme: theme === 'light' || theme === 'dark' ? theme : usualPreferences.theme,
  };
}

function plain(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}

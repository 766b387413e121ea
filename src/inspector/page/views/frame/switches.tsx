import { preferences, prefer } from '../../client/kept-preferences.ts';
import type { Preferences, Theme } from '../../client/preferences.ts';
import { useStore } from '../../client/use-store.ts';
import { openKeyHelp } from './key-help.tsx';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Light or dark, and the keys. */
export function Switches() {
  const theme = useStore(preferences, themeOf);
  return (
    <>
      <div class="frame-switch" role="group" aria-label="Light or dark">
        {themes.map((one) => (
          <button key={one} type="button" aria-pressed={theme === one} onClick={() => prefer({ theme: one })}>
            {one}
          </button>
        ))}
      </div>
      <button type="button" onClick={openKeyHelp} aria-label="Keys and help" aria-keyshortcuts="?">
        ?
      </button>
    </>
  );
}

const themeOf = ({ theme }: Preferences) => theme;

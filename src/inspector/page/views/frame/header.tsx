import { nightLink, seedLink, type Address } from '../../client/address.ts';
import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/use-store.ts';
import { AboutDialog } from './about-dialog.tsx';
import { ConnectionBadge, LostNotice, ReplayBadge, Span } from './status-line.tsx';
import { Search } from './search.tsx';
import type { Theme } from '../../client/preferences.ts';
import { preferences, prefer } from '../../client/kept-preferences.ts';
import { openKeyHelp } from './keys.tsx';
import { useNow } from '../../client/ticking.ts';
import { clockText, isoText } from '../../format/texts.ts';

/** What stands above every view. */
export function Header({ address }: Readonly<{ address: Address }>) {
  const about = useStore(serverState, ({ about }) => about);
  const programs = new Set(about?.runs.map(({ program }) => program));
  return (
    <header class="frame-header">
      <a class="frame-skip" href="#view" onClick={skip}>
        Skip to the view
      </a>
      <div class="frame-row">
        <span class="quiet frame-name">
          <strong>{programs.size === 1 ? [...programs] : 'dependency-watchdog'}</strong> {about?.version}
        </span>
        <nav class="frame-nav" aria-label="Views">
          <NavLink href={nightLink()} here={address.view === 'night'}>
            Last night
          </NavLink>
          <NavLink href={seedLink()} here={address.view === 'seed'}>
            The seed
          </NavLink>
          {address.view === 'machine' && (
            <span class="cut frame-here" aria-current="page">
              {address.subject}
            </span>
          )}
        </nav>
        <Search />
        <Clock />
        <Switches />
      </div>
      <div class="frame-row frame-facts quiet">
        <ConnectionBadge />
        <ReplayBadge />
        {about !== null && <Span about={about} />}
        <AboutDialog />
      </div>
      <LostNotice />
    </header>
  );
}

function NavLink({ href, here, children }: Readonly<{ href: string; here: boolean; children: string }>) {
  return (
    <a href={href} class={here ? 'cut frame-here' : 'cut'} {...(here ? { 'aria-current': 'page' as const } : {})}>
      {children}
    </a>
  );
}

/** An address of its own would leave the view. */
function skip(click: MouseEvent): void {
  click.preventDefault();
  document.querySelector<HTMLElement>('#view')?.focus();
}

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Light or dark, and the keys. */
function Switches() {
  const theme = useStore(preferences, ({ theme }) => theme);
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

/** What time it is at the program, and in which zone times are shown. Files have no time of their own. */
function Clock() {
  const now = useNow();
  const live = useStore(serverState, ({ about }) => about?.live !== false);
  const zone = useStore(preferences, ({ zone }) => zone);
  return (
    <div class="frame-clock">
      {live && now !== undefined && (
        <time class="frame-now" dateTime={isoText(now)}>
          {clockText(now, zone)}
        </time>
      )}
      <div class="frame-switch" role="group" aria-label="Zone of all times">
        {(['utc', 'local'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={zone === one} onClick={() => prefer({ zone: one })}>
            {one === 'utc' ? 'UTC' : 'local'}
          </button>
        ))}
      </div>
    </div>
  );
}

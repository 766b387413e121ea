import { Switch } from '../../format/controls.tsx';
import { clockText, isoText, type Zone } from '../../format/texts.ts';
import { nightLink, rangeOf, seedLink, wholeNight, wholeSeed, type Address } from '../../client/address.ts';
import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/store.ts';
import { AboutDialog } from './about-dialog.tsx';
import { ConnectionBadge, LostNotice, ReplayBadge, Span } from './status-line.tsx';
import { LeftOut, ReadingBadge } from './left-out.tsx';
import { Search } from './search.tsx';
import type { Theme } from '../../client/preferences.ts';
import { preferences, prefer } from '../../client/kept-preferences.ts';
import { openKeyHelp } from './keys.tsx';
import { useNow } from '../../client/ticking.ts';

/** What stands above every view. */
export function Header({ address }: Readonly<{ address: Address }>) {
  const about = useStore(serverState, ({ about }) => about);
  // What one looks at stays the same from view to view, until somebody asks for all of it.
  const range = rangeOf(address);
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
          <NavLink href={nightLink({ ...wholeNight, range })} here={address.view === 'night'}>
            What happened
          </NavLink>
          <NavLink href={seedLink({ ...wholeSeed, range })} here={address.view === 'seed'}>
            The seed
          </NavLink>
          {address.view === 'machine' && (
            <span class="cut frame-here" aria-current="page">
              {address.subject}
            </span>
          )}
        </nav>
        <Search address={address} />
        <Clock />
        <Switches />
      </div>
      <div class="frame-row frame-facts quiet">
        <ConnectionBadge />
        <ReadingBadge />
        <ReplayBadge />
        {about !== null && <Span about={about} />}
        <AboutDialog />
      </div>
      <LostNotice />
      <LeftOut />
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

const themes: Readonly<Record<Theme, string>> = { system: 'system', light: 'light', dark: 'dark' };
const zones: Readonly<Record<Zone, string>> = { utc: 'UTC', local: 'local' };

/** Light or dark, and the keys. */
function Switches() {
  const theme = useStore(preferences, ({ theme }) => theme);
  return (
    <>
      <Switch
        label="Light or dark"
        words={themes}
        chosen={theme}
        choose={(theme) => prefer({ theme })}
        look="frame-switch frame-theme"
      />
      <button type="button" class="frame-help" onClick={openKeyHelp} aria-label="Keys and help" aria-keyshortcuts="?">
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
      <Switch label="Zone of all times" words={zones} chosen={zone} choose={(zone) => prefer({ zone })} />
    </div>
  );
}

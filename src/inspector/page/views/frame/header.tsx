import { nightLink, seedLink, type Address } from '../../client/address.ts';
import { told } from '../../client/inspector-client.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';
import { AboutDialog } from './about-dialog.tsx';
import { Clock } from './clock.tsx';
import { ConnectionBadge } from './connection-badge.tsx';
import { LostNotice } from './lost-notice.tsx';
import { ReplayBadge } from './replay-badge.tsx';
import { Search } from './search.tsx';
import { Span } from './span.tsx';
import { Switches } from './switches.tsx';

/** What stands above every view. */
export function Header({ address }: Readonly<{ address: Address }>) {
  const about = useStore(told, aboutOf);
  const programs = new Set(about?.runs.map(({ program }) => program));
  return (
    <header class="frame-header">
      <a class="frame-skip" href="#view" onClick={skip}>
        Skip to the view
      </a>
      <div class="frame-row">
        <span class="frame-name">
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
            <span class="frame-here" aria-current="page">
              {address.subject}
            </span>
          )}
        </nav>
        <Search />
        <Clock />
        <Switches />
      </div>
      <div class="frame-row frame-facts">
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
    <a href={href} class={here ? 'frame-here' : ''} {...(here ? { 'aria-current': 'page' as const } : {})}>
      {children}
    </a>
  );
}

/** An address of its own would leave the view. */
function skip(click: MouseEvent): void {
  click.preventDefault();
  document.querySelector<HTMLElement>('#view')?.focus();
}

const aboutOf = ({ about }: Told) => about;

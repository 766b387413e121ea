import { useEffect, useRef, useErrorBoundary } from 'preact/hooks';
import { placeOf, readAddress, type Address } from './client/address.ts';
import { useAddress } from './client/browser-address.ts';
import { preferences } from './client/kept-preferences.ts';
import { useStore } from './client/store.ts';
import { ZoneContext } from './format/time.tsx';
import { MachinePage } from './machine/machine-page.tsx';
import { Header } from './views/frame/header.tsx';
import { KeyHelp } from './views/frame/keys.tsx';
import { NightView } from './views/night/night-view.tsx';
import { SeedView } from './views/seed/seed-view.tsx';
import type { ComponentChildren } from 'preact';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';

/** The whole page: the frame, and the view that the address names. */
export function App() {
  const address = useAddress();
  const { zone, theme } = useStore(preferences);
  const main = useRef<HTMLElement>(null);
  const place = placeOf(address);

  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${titleOf(address)} · dependency-watchdog`;
  }, [place]);
  useEffect(() => {
    // A screen reader goes on where the new view begins, as it would on a new page.
    const followed = (change: HashChangeEvent) => {
      // What one goes to, or back to, would lie behind it.
      for (const dialog of document.querySelectorAll('dialog')) dialog.close();
      if (placeOf(readAddress(new URL(change.oldURL).hash)) !== placeOf(readAddress(location.hash)))
        main.current?.focus();
    };
    addEventListener('hashchange', followed);
    return () => removeEventListener('hashchange', followed);
  }, []);

  return (
    <ZoneContext.Provider value={zone}>
      <div class="frame-page">
        <Header address={address} />
        <main ref={main} class="frame-view" id="view" tabIndex={-1}>
          <Failing key={place}>
            <View address={address} />
          </Failing>
        </main>
        <KeyHelp />
      </div>
    </ZoneContext.Provider>
  );
}

function View({ address }: Readonly<{ address: Address }>) {
  switch (address.view) {
    case 'night':
      return <NightView filter={address.filter} />;
    case 'seed':
      return <SeedView filter={address.filter} />;
    case 'machine':
      return <MachinePage address={address} />;
    case 'unknown':
      return (
        <div class="frame-empty">
          <h1 class="unseen">Nothing there</h1>
          <p>
            This address names no view. <a href="#/">What happened</a> and <a href="#/seed">The seed</a> lead to all
            there is.
          </p>
        </div>
      );
  }
}

function titleOf(address: Address): string {
  switch (address.view) {
    case 'night':
      return 'What happened';
    case 'seed':
      return 'The seed';
    case 'machine':
      return address.subject;
    case 'unknown':
      return 'Nothing there';
  }
}

/** A view that fails by a bug of ours takes nothing else of the page with it, and says what to do. */
function Failing({ children }: Readonly<{ children: ComponentChildren }>) {
  const [error] = useErrorBoundary() as readonly [unknown, () => void];
  if (error === undefined) return <>{children}</>;
  return (
    <section class="frame-failing" role="alert">
      <h1>This view failed by a bug of the inspector.</h1>
      <pre>{errorWords(error)}</pre>
      <p>
        The prober does not notice. Load the page again, or look at <a href="#/seed">the seed</a>. The same is told by{' '}
        <code>dependency-watchdog replay</code>. Please report the lines above.
      </p>
    </section>
  );
}

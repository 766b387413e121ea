import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { errorWords } from '../../../../adapters/words/plain-words.ts';

/** A view that fails by a bug of ours takes nothing else of the page with it, and says what to do. */
export function Failing({ children }: Readonly<{ children: ComponentChildren }>) {
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

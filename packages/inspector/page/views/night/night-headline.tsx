import { useMemo } from 'preact/hooks';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { headlineOf, type HeadlinePart } from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { turnLink } from '../../client/address.ts';

/** What a reader should know first, as a sentence, and beside it what is to be done now (SPEC 9.19). */
export function NightHeadline({ episodes, now }: Readonly<{ episodes: readonly Episode[]; now: Instant }>) {
  const { parts, besides, weight, steps } = useMemo(() => headlineOf(episodes, now), [episodes, now]);
  return (
    <section class={`headline headline-${weight ?? 'calm'}`} aria-label="In one sentence">
      <div>
        <h1>
          {[...parts, '.'].map((part, index) => (typeof part === 'string' ? part : <Named key={index} {...part} />))}
        </h1>
        {besides.length > 0 && <p class="quiet">{besides.join(' · ')}</p>}
      </div>
      <aside class="headline-steps" aria-label="What to do now">
        <h2>What to do now</h2>
        {steps.length === 0 && <p>Nothing to do.</p>}
        {steps.length > 0 && (
          <ol>
            {steps.map(({ step, runbook, those }) => (
              <li key={runbook}>
                {those.slice(0, mostNamed).map((one) => (
                  <span key={one.subject}>
                    <Named {...one} />{' '}
                  </span>
                ))}
                {those.length > mostNamed && `and ${those.length - mostNamed} more `}
                <Step text={step.replaceAll('NAMESPACE', those[0]?.subject ?? 'NAMESPACE')} />{' '}
                <span class="quiet">{runbook}</span>
              </li>
            ))}
          </ol>
        )}
      </aside>
    </section>
  );
}

const mostNamed = 3;

function Named({ subject, turn }: Exclude<HeadlinePart, string>) {
  return <a href={turnLink(turn)}>{subject}</a>;
}

/** What stands between two back quotes is a command. */
function Step({ text }: Readonly<{ text: string }>) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

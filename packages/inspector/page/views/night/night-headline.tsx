import { useMemo } from 'preact/hooks';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { headlineOf, ofLastDay, type HeadlinePart } from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import { runbookPlace } from 'dependency-watchdog/adapters/record/episodes/runbook-steps.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { carried } from '../../client/carried.ts';
import { turnLink } from '../../client/address.ts';

/** What a reader should know first, as a sentence, and beside it what is to be done now (SPEC 9.19). `lastDayAlone`: a process that runs for weeks keeps what is long over. */
export function NightHeadline(props: Readonly<{ episodes: readonly Episode[]; now: Instant; lastDayAlone: boolean }>) {
  const { episodes, now, lastDayAlone } = props;
  const told = useMemo(() => (lastDayAlone ? ofLastDay(episodes, now) : episodes), [episodes, now, lastDayAlone]);
  const { parts, besides, weight, steps } = useMemo(() => headlineOf(told, now), [told, now]);
  const also = [...besides, ...(told.length < episodes.length ? ['The last 24 hours; older ones stand below'] : [])];
  return (
    <section class={`headline headline-${steps.length === 0 ? 'calm' : weight}`} aria-label="In one sentence">
      <div>
        <h1>
          {[...parts, '.'].map((part, index) => (typeof part === 'string' ? part : <Named key={index} {...part} />))}
        </h1>
        {also.length > 0 && <p class="quiet">{also.join(' · ')}</p>}
      </div>
      <aside class="headline-steps" aria-label="What to do now">
        <h2>What to do now</h2>
        {steps.length === 0 && <p>Nothing to do.</p>}
        {steps.length > 0 && (
          <ol>
            {steps.map(({ step, alert, those }) => (
              <li key={alert}>
                {those.slice(0, mostNamed).map((one) => (
                  <span key={one.subject}>
                    <Named {...one} />{' '}
                  </span>
                ))}
                {those.length > mostNamed && `and ${those.length - mostNamed} more `}
                <Step text={step.replaceAll('NAMESPACE', those[0]?.subject ?? 'NAMESPACE')} /> <Runbook alert={alert} />
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

/** Leads to it where it is served; a page in one file can only name it. */
function Runbook({ alert }: Readonly<{ alert: string }>) {
  if (carried !== undefined) return <span class="quiet">{runbookPlace({ alert })}</span>;
  return (
    <a href={`runbooks#:~:text=${encodeURIComponent(`## ${alert}`)}`} target="_blank" rel="noreferrer">
      Runbook {alert}
    </a>
  );
}

/** What stands between two back quotes is a command. */
function Step({ text }: Readonly<{ text: string }>) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ComponentChildren } from 'preact';
import { episodeKinds, episodeLines } from '../../../episodes/episode-words.ts';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { CopyButton } from '../../format/controls.tsx';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { calmText } from '../../format/texts.ts';
import { machineLink, turnLink } from '../../client/address.ts';
import { Badge } from '../../format/mark.tsx';
import { Time, useZone } from '../../format/time.tsx';
import { stageMeaning, stageParts, zonedSentence } from './night-episodes.ts';
import { nightFigures } from './night-rows.ts';
import { stormName, stormWords, type NightItem } from './night-storms.ts';

/** `recorded`: nothing comes any more, so what goes on was open when the record ended. `now`: for what goes on. */
type Shown = Readonly<{ recorded: boolean; now: Instant; told: Told }>;

/** Of which entries all is told, by their ids; they stay so wherever they move to. */
type Told = Readonly<{ ids: ReadonlySet<string>; toggle: (id: string) => void }>;

/** The names of the columns; each entry says them to whoever does not see them. */
const columns = { margin: 'Margin', down: 'Down for', back: 'Back' } as const;
const figureNames = Object.keys(columns) as (keyof typeof columns)[];

export function NightHead() {
  return (
    <div class="night-head quiet" aria-hidden="true">
      <span>Time</span>
      <span>Shoot or service</span>
      <span>In time?</span>
      {figureNames.map((name) => (
        <span key={name} class="number">
          {columns[name]}
        </span>
      ))}
    </div>
  );
}

/** A row of the night: when, whose, what came of it, and its figures; at the right what can be done with it. Behind it all that is told. */
function NightRow(
  props: Readonly<{
    item: Pick<NightItem, 'episodes' | 'beganAt'>;
    now: Instant;
    name: ComponentChildren;
    brief: string;
    isOpen: boolean;
    toggle: (element: HTMLElement) => void;
    why: string;
    copied: Readonly<{ what: string; text: () => string }>;
    children?: ComponentChildren;
  }>,
) {
  const { item, now, name, brief, isOpen, toggle, why, copied, children } = props;
  const { episodes, beganAt } = item;
  const [{ kind, turn }] = episodes;
  const { outcome, ...figures } = nightFigures(item, now);
  const { one, several } = episodeKinds[kind];
  // Then the name says how many there are: one outage of sixty shoots.
  const isOnceEach = new Set(episodes.map(({ subject }) => subject)).size === episodes.length;
  return (
    <article class={`night-entry night-${outcome.tone}`}>
      <Time at={beganAt} />
      <div class="night-what">
        {name}
        <button
          type="button"
          class="night-toggle"
          aria-expanded={isOpen}
          onClick={({ currentTarget }) => toggle(currentTarget)}
        >
          <span class="night-kind">{isOnceEach ? one : `${episodes.length} ${several}`}</span>
          {brief === '' ? '' : ` · ${brief}`}
        </button>
      </div>
      <Badge {...outcome} />
      <dl class="night-figures">
        {figureNames.map((figure) => (
          <div key={figure} class={figures[figure] === '' ? 'night-none' : ''}>
            <dt>{columns[figure]}</dt>
            <dd>{figures[figure] === '' ? '–' : figures[figure]}</dd>
          </div>
        ))}
      </dl>
      <div class="night-acts">
        <a class="night-link" href={turnLink(turn)} aria-label={`See why: ${why}`}>
          See why
        </a>
        <CopyButton label="Copy" {...copied} />
      </div>
      {children}
    </article>
  );
}

/** One thing that happened. */
export function NightEntry({ episode, told, ...shown }: Shown & Readonly<{ episode: Episode }>) {
  const { id, machine, subject, beganAt, sentence, brief = sentence } = episode;
  const zone = useZone();
  return (
    <NightRow
      item={{ episodes: [episode], beganAt }}
      now={shown.now}
      name={
        <a class="night-subject" href={machineLink(machine, subject)}>
          {subject}
        </a>
      }
      brief={zonedSentence({ ...episode, sentence: brief }, zone)}
      isOpen={told.ids.has(id)}
      toggle={() => told.toggle(id)}
      why={`the deciding turn of ${subject}`}
      copied={{ what: `of what happened to ${subject}, for a ticket`, text: () => episodeLines(episode).join('\n') }}
    >
      {told.ids.has(id) && <AllTold episode={episode} {...shown} />}
    </NightRow>
  );
}

/** Of one storm; the filter finds the others. */
const mostOpened = 250;

/** Many of one kind at once as one entry, and behind it each of them. */
export function NightStorm(
  props: Shown & Readonly<{ storm: NightItem; isOpen: boolean; toggle: (element: HTMLElement) => void }>,
) {
  const { storm, recorded, now, told, isOpen, toggle } = props;
  const { episodes } = storm;
  const zone = useZone();
  const words = stormWords(storm, zone, recorded);
  const name = stormName(storm);
  const left = episodes.length - mostOpened;
  return (
    <>
      <NightRow
        item={storm}
        now={now}
        name={<span class="night-subject">{name}</span>}
        brief={words}
        isOpen={isOpen}
        toggle={toggle}
        why={`the deciding turn of ${episodes[0].subject}, the gravest of them`}
        copied={{ what: `of what happened to these ${name}, for a ticket`, text: () => stormLines(storm).join('\n') }}
      />
      {isOpen && (
        <div class="night-inner" role="group" aria-label={`${name} ${words}`}>
          {episodes.slice(0, mostOpened).map((episode) => (
            <NightEntry key={episode.id} episode={episode} recorded={recorded} now={now} told={told} />
          ))}
          {left > 0 && <p class="night-left">{left} more are not shown: the filter finds them by their names.</p>}
        </div>
      )}
    </>
  );
}

/** For a ticket: what they have in common, then when, whose and what of each, without its details. Times are UTC. */
function stormLines(storm: NightItem): readonly string[] {
  const each = storm.episodes.flatMap((episode) => episodeLines(episode).slice(0, 2));
  return [`${stormName(storm)} ${stormWords(storm, 'utc', true)} (UTC)`, ...each];
}

/** All that is known: the sentence, its stages as a bar, each stage with its turn, and what a replay says. */
function AllTold({ episode, recorded, now }: Omit<Shown, 'told'> & Readonly<{ episode: Episode }>) {
  const { stages, lines, endedAt } = episode;
  const zone = useZone();
  return (
    <div class="night-told">
      <p>{zonedSentence(episode, zone)}</p>
      <StageBar episode={episode} recorded={recorded} now={endedAt ?? now} />
      <ol class="night-stages">
        {stages.map(({ name, at, after, turn }) => (
          <li key={name}>
            <Time at={at} />
            <span class="quiet">{after === null ? '' : `+${lengthWords(after)}`}</span>
            {turn === null ? <span>{name}</span> : <a href={turnLink(turn)}>{name}</a>}
          </li>
        ))}
      </ol>
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </div>
  );
}

/** The stages of an episode with the time between them: a bar for the eye, and the same in words. */
function StageBar({ episode, recorded, now }: Omit<Shown, 'told'> & Readonly<{ episode: Episode }>) {
  const parts = stageParts(episode, now);
  const [first] = episode.stages;
  if (first === undefined || parts.length === 0) return null;
  const hasLength = parts.some(({ length }) => length > 0);
  return (
    <p class="night-course">
      <span class="night-strip" aria-hidden="true">
        {parts.map(({ from, length }) => (
          <i
            key={from}
            class={`night-${stageMeaning(from)}`}
            ref={(part) => part?.style.setProperty('flex-grow', String(hasLength ? length : 1))}
          />
        ))}
      </span>
      <span class="quiet">
        {first.name}
        {parts.map(({ from, to, length, goesOn }) => (
          <span key={from}>
            <span class="night-arrow" aria-hidden="true">
              →
            </span>
            <span class="night-delay">{goesOn ? calmText(length) : lengthWords(length)}</span>{' '}
            {goesOn ? (recorded ? 'until the record ends' : 'so far') : to}
          </span>
        ))}
      </span>
    </p>
  );
}

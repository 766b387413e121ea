import { Choices, Switch } from '../../format/controls.tsx';
import type { Episode, EpisodeKind } from '../../../../adapters/episodes/episode.ts';
import { nightLink, wholeNight, type NightFilter } from '../../client/address.ts';
import { renewAddress } from '../../client/use-address.ts';
import { numberText } from '../../format/texts.ts';
import { TextFilter } from '../frame/keys.tsx';
import { countedKind, episodeWords } from './night-episodes.ts';

const standings = { all: 'all', running: 'going on', over: 'over' } as const;

/** What is shown of the night: by text, by kind, and whether it is over. It stands in the address. */
export function NightFilters(props: Readonly<{ filter: NightFilter; shown: number; all: Iterable<Episode> }>) {
  const { filter, shown, all } = props;
  const counts = Map.groupBy(all, ({ kind }) => kind);
  const change = (change: Partial<NightFilter>) => renewAddress(nightLink({ ...filter, ...change }));
  const isWhole = nightLink(filter) === nightLink(wholeNight);
  return (
    <div class="flow frame-filters" role="search" aria-label="Filter of the night">
      <TextFilter text={filter.text} onText={(text) => change({ text })} />
      <Choices
        label="Kinds"
        choices={(Object.keys(episodeWords) as EpisodeKind[])
          .filter((kind) => counts.has(kind) || filter.kinds.includes(kind))
          .map((kind) => ({ choice: kind, shown: countedKind(kind, counts.get(kind)?.length ?? 0) }))}
        chosen={filter.kinds}
        choose={(kinds) => change({ kinds })}
      />
      <Switch
        label="Going on or over"
        words={standings}
        chosen={filter.standing}
        choose={(standing) => change({ standing })}
      />
      <span class="quiet">{numberText(shown)} shown</span>
      {!isWhole && <a href={nightLink(wholeNight)}>clear</a>}
    </div>
  );
}

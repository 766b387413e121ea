import type { EpisodeDraft } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { LeadEvent } from '../../episodes/led-runs.ts';
import { episodeLines } from '../../episodes/episode-words.ts';
import { counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ReplayReport } from './replay-report.ts';
import { headlineLines } from './summary-lines.ts';

/** The newest of them fill some screens; `--json` tells all. */
const mostTold = 200;

/**
 * What happened, by its consequence, in place of the events: the newest last, where a terminal is read first. `report`: tells of files, of
 * differences, and of the end.
 */
export function outagesReport(report: ReplayReport, form: 'text' | 'json'): ReplayReport {
  return {
    ...report,
    turn: (replayed) => (replayed.replayed.outcome === 'differs' ? report.turn(replayed) : []),
    end: (summary) => {
      const { episodes, leads } = summary;
      if (form === 'json')
        return [
          ...episodes.map(({ episode }) => JSON.stringify({ episode: episode() })),
          ...leads.map((lead) => JSON.stringify({ lead })),
          ...report.end(summary),
        ];
      return [
        ...episodesText(episodes, summary.episodesLeftOut, leads),
        '',
        ...(episodes.length === 0 ? [] : headlineLines(summary)),
        ...report.end({ ...summary, episodes: [], told: true }),
      ];
    },
  };
}

function episodesText(
  episodes: readonly EpisodeDraft[],
  leftOut: number,
  leads: readonly LeadEvent[],
): readonly string[] {
  const changes = leads.slice(-mostTold).map((lead) => ({ beganAt: lead.at, lines: () => leadLines(lead) }));
  if (episodes.length === 0)
    return [
      ...changes.flatMap(({ lines }) => ['', ...lines()]),
      '',
      'Nothing happened: no outage, no recovery, no pause, nothing refused. Nothing to do.',
    ];
  const told = episodes.slice(-mostTold);
  const older = leftOut + episodes.length - told.length;
  const more = '--since, --until and --shoot narrow them down, --json tells all';
  return [
    ...(older === 0 ? [] : ['', `… ${counted(older, 'older one')}; ${more}`]),
    ...[...told.map(({ beganAt, episode }) => ({ beganAt, lines: () => episodeLines(episode()) })), ...changes]
      .toSorted((one, other) => one.beganAt - other.beganAt)
      .flatMap(({ lines }) => ['', ...lines()]),
  ];
}

/** Who took the lead, or ended. */
function leadLines({ at, role, weight, sentence }: LeadEvent): readonly string[] {
  return [`${instantText(at)}  the lead of the ${role}, ${weight}`, `    ${sentence}`];
}

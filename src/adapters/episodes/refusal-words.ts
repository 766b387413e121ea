import { clockWords, lengthWords } from '../words/length-words.ts';
import { counted, instantText } from '../words/plain-words.ts';
import { shortName } from '../words/shoot-words.ts';
import { toDoWords } from '../words/write-words.ts';
import { firstLine, spanStages, textOf, type EpisodeWords } from './episode-parts.ts';
import type { ShootRefusal } from './shoot-refusals.ts';

/** A refusal as an episode: what could not be done, because of which answer, and how it ended. */
export function refusalEpisode(refusal: ShootRefusal): EpisodeWords {
  const { began, key, asked, detail, tries, overdue, endedAt, ended, how } = refusal;
  const what = asked === null ? `${shortName(key)} may not be read` : `could not ${toDoWords(shortName(key), asked)}`;
  const late = overdue ? ', when a node may have been marked already' : '';
  const end = endedAt === null ? '' : `; ${endWords(refusal)} ${lengthWords(endedAt - began.at)} later`;
  return {
    weight: overdue ? 'bad' : 'grave',
    sentence: `${what} from ${clockWords(began.at)} on, because the seed said: ${firstLine(detail)}${end}${late}`,
    lines: asked === null ? [] : [`${counted(tries, 'try').replace('trys', 'tries')} failed`],
    stages: spanStages({ began, endedAt, ended }, { begins: 'refused', ends: how === 'done' ? 'done' : 'needless' }),
    data: {
      shoot: began.subject,
      dependant: key,
      what: asked === null ? 'read' : 'write',
      detail,
      tries,
      overdue,
      since: instantText(began.at),
      endedAt: textOf(endedAt),
      endedBy: how ?? undefined,
    },
  };
}

function endWords({ asked, how }: ShootRefusal): string {
  if (how === 'needless') return 'nobody wanted it any more';
  return asked === null ? 'it could be read' : 'it was written';
}

import type { Log } from '../../adapters/record/log/log.ts';
import type { Stray, StraysFound } from '../../adapters/seed/strays.ts';
import { notConfiguredWords } from '../../adapters/record/words/standing-words.ts';
import { counted } from '../../adapters/words/plain-words.ts';
import { refWords } from '../../adapters/record/words/write-words.ts';

/** As many as the roll call names. */
const mostNamed = 20;

/** Tells what carries our mark and is not in the configuration (SPEC 6.5): each once, and when none is left. */
export function strayLog(log: Log): (found: StraysFound) => void {
  let told: ReadonlySet<string> = new Set();
  const unreadTold = new Set<string>();
  return ({ strays, leftOut, unread }) => {
    const news = strays.filter((one) => !told.has(keyOf(one)));
    for (const { shoot, dependant, seen } of news.slice(0, mostNamed)) {
      const stands = seen.read
        ? notConfiguredWords(seen.view.found ? seen.view.replicas : 0)
        : 'carries the mark, and is not in the configuration';
      log.warn(`${shoot}: ${refWords(dependant.ref)} ${stands}; no prober raises it, the command release does`, {
        line: 'mark not configured',
        shoot,
        resource: dependant.key,
      });
    }
    const more = Math.max(0, news.length - mostNamed) + leftOut;
    if (more > 0)
      log.warn(`${counted(more, 'resource')} more with the mark, and not in the configuration`, {
        line: 'mark not configured',
      });
    const isWhole = unread.every(({ refused }) => refused);
    if (strays.length === 0 && told.size > 0 && isWhole)
      log.info('nothing carries the mark any more that is not in the configuration', { line: 'mark not configured' });
    if (strays.length > 0 || isWhole) told = new Set(strays.map(keyOf));
    for (const { kind, problem } of unread.filter((one) => !unreadTold.has(one.kind))) {
      unreadTold.add(kind);
      log.warn(`cannot look for marks on what is not in the configuration, of the kind ${kind}: ${problem}`, {
        line: 'cannot look for marks',
        kind,
      });
    }
  };
}

function keyOf({ shoot, dependant }: Stray): string {
  return `${shoot} ${dependant.key}`;
}

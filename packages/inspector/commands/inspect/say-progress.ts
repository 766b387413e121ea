import { firstValueFrom } from 'rxjs';
import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { FileHistory } from '../../serve/file-history.ts';
import type { Reading } from '../../wire/wire.ts';

/** How often it says how far it is. */
const sayEvery: Millis = 5_000;

const doings: Readonly<Record<Reading['doing'], string>> = {
  newest: 'the newest files are read',
  all: 'all files are read; what is shown is of the newest ones',
  replay: 'all is shown; the events are replayed, to see whether they come out as recorded',
};

/** Says how far the files are read, until all is done, and what is missing as soon as that is known. Rejects as the reading does. */
export async function sayProgress(
  { history, read, replayed }: FileHistory,
  clock: Clock,
  say: (sentence: string) => void,
): Promise<void> {
  let said = false;
  const over = replayed.then(() => true);
  const problems = read.then(() => history.about().problems.forEach(say));
  problems.catch(() => undefined);
  for (;;) {
    const later = firstValueFrom(clock.wakeAt(clock.now() + sayEvery)).then(() => false);
    if (await Promise.race([over, later])) break;
    const { reading } = history.about();
    if (reading === null) break;
    said = true;
    say(`${reading.percent} %: ${doings[reading.doing]}`);
  }
  await problems;
  if (said) say(`100 %: ${counted(history.about().turns, 'event')} read and replayed`);
}

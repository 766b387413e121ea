import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeHardNight } from '../support/hard-night.ts';
import { playEtcdOutage } from '../support/played-services.ts';
import { playMarkup, playPaths, playShoot, playedShoots } from '@dwd/testing/played-shoots.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { asShoot, nightBegins, writeNight } from '@dwd/testing/journal-driver.ts';

/** A shoot whose name, like those of its nodes, would be a picture that runs a script if it were taken for markup. */
export const markup = '<img src=x onerror=document.title=1>';

/** A shoot of the older generation. */
export const twoPaths = 'shoot--dev--paths';

/**
 * Plays the nights, and writes the journal of each into a folder of `dir`: `mixed`, an outage, a recovery and what else can happen, of a
 * prober and of a weeder; `hard`, a storm of 60, a leader that is lost, somebody who interferes, and a weeder's chain; `markup`, an outage of a shoot with a hostile name; `paths`, an outage of a shoot that is judged by its two paths.
 */
export async function writeNights(dir: string): Promise<void> {
  const folder = (name: string) => {
    mkdirSync(join(dir, name));
    return join(dir, name);
  };
  const mixed = folder('mixed');
  const shoots = await Promise.all(playedShoots.map(async (name) => asShoot(await playShoot(name, nightBegins), name)));
  await writeNight('prober', mixed, shoots.flat());
  await writeNight('weeder', mixed, await playEtcdOutage(nightBegins));
  await writeNight('prober', folder('markup'), asShoot(await playMarkup(markup, nightBegins), markup));
  await writeHardNight(folder('hard'));
  await writeNight('prober', folder('paths'), asShoot(await playPaths(nightBegins), twoPaths), twoPathConfig);
}

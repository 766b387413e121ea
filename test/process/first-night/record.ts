/**
 * Plays all scenes, and writes what they came to: `recorded.json`, and `first-night.md` from it. With an argument, only
 * those whose titles contain it, and those that are new.
 */
import { writeFileSync } from 'node:fs';
import { firstNightPage, page, readRecorded } from './page.ts';
import { playScene } from './play-scene.ts';
import type { Outcome } from './scene.ts';
import { scenes } from './scenes.ts';

const known = readRecorded();
const recorded: Record<string, Outcome> = {};
const only = process.argv[2];
for (const scene of scenes) {
  const before = known[scene.title];
  if (only !== undefined && before !== undefined && !scene.title.includes(only)) {
    recorded[scene.title] = before;
    continue;
  }
  const now = await playScene(scene);
  recorded[scene.title] = now;
  const asExpected = now.code === scene.code && scene.says.test(now.lines.join('\n'));
  process.stdout.write(`${asExpected ? 'as expected' : 'NOT AS EXPECTED'}: ${scene.title}\n`);
  if (!asExpected) process.exitCode = 1;
}
// A line for each scene, so that a change shows which.
const lines = Object.entries(recorded).map(([title, played]) => `${JSON.stringify(title)}: ${JSON.stringify(played)}`);
writeFileSync(new URL('recorded.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
writeFileSync(page, firstNightPage(recorded));

/**
 * `npm run docs -- dashboards`: records what the dashboards show, and draws them. Two real probers and a real weeder run on an embedded seed, a real
 * Prometheus scrapes them, and a story of a quarter of an hour is played to them in real time. Then each query of each panel is asked.
 * The answers are `docs/monitoring/recording.json`; `npm run docs` draws the pictures from it, and `--check` knows when they are stale.
 *
 *     npm run docs -- dashboards                # records, and writes recording and pictures
 *     npm run docs -- dashboards --short     # a minute of it, to see that it works; writes nothing
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/adapters/clock/wall-clock.ts';
import { dashboardPictures, recordingFile } from './monitoring/dashboard-pictures.ts';
import { recordStory } from './monitoring/record/record-story.ts';
import { shortStory, wholeStory } from './monitoring/record/story.ts';
import { progress } from '@dwd/lab/options/progress.ts';
import { ProgramMissing } from '@dwd/lab/programs/find-program.ts';
import { isRemovedAfterUs } from '@dwd/lab/real/clearing-up.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

helpOfHeader('docs -- dashboards [--short]', import.meta.filename);
const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const story = values.short ? shortStory : wholeStory;
const told = progress(systemClock, (line) => process.stderr.write(`${line}\n`));
const directory = mkdtempSync(join(tmpdir(), 'dwd-dashboards-'));
isRemovedAfterUs(directory);
told.goesOn(() => 'the seed, the watchdogs and Prometheus run');
try {
  const recording = await recordStory(story, directory, told.say);
  const pictures = dashboardPictures(recording);
  const answered = Object.values(recording.answers).filter((series) => series.length > 0).length;
  const asked = Object.keys(recording.answers).length;
  told.say(`${asked} queries, ${answered} of them with an answer; ${Object.keys(pictures).length} pictures`);
  // Less than half of it would be a Prometheus that scraped nothing.
  if (answered < asked / 2) process.exitCode = 1;
  if (!values.short) {
    writeFileSync(recordingFile, `${JSON.stringify(recording)}\n`);
    for (const [page, svg] of Object.entries(pictures)) writeFileSync(new URL(`../${page}`, import.meta.url), svg);
  }
} catch (error) {
  if (!(error instanceof ProgramMissing)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
} finally {
  told.stop();
}

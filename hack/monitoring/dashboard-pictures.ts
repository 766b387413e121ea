import { readFileSync } from 'node:fs';
import { dashboards } from './dashboards/dashboards.ts';
import { dashboardSvg } from './draw/dashboard-svg.ts';
import type { Recording } from './record/recording.ts';

/** Written by `npm run docs -- dashboards`. */
export const recordingFile: URL = new URL('../../docs/monitoring/recording.json', import.meta.url);

export function readRecording(): Recording {
  return JSON.parse(readFileSync(recordingFile, 'utf8')) as Recording;
}

/** A picture of each dashboard, by its place. Throws where a panel asks for what was not recorded. */
export function dashboardPictures(recording: Recording): Readonly<Record<string, string>> {
  return Object.fromEntries(
    dashboards.map((dashboard) => [`docs/monitoring/${dashboard.name}.svg`, dashboardSvg(dashboard, recording)]),
  );
}

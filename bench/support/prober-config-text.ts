import { readFileSync } from 'node:fs';
import { gardenerConfigFile } from './read-config.ts';

/** Gardener's prober configuration with another interval (`10s`), or with another delay for all dependants that have one. */
export function proberConfigText({ interval, delay }: Readonly<{ interval?: string; delay?: string }>): string {
  let text = readFileSync(gardenerConfigFile, 'utf8');
  if (interval !== undefined) text = text.replace(/^probeInterval:.*$/m, `probeInterval: ${interval}`);
  if (delay !== undefined) text = text.replace(/^(\s*initialDelay:).*$/gm, `$1 ${delay}`);
  // Nobody learns anything from the half minute before the first probes.
  return `initialDelay: 0s\n${text}`;
}

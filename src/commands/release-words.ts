import { counted } from '../adapters/words/plain-words.ts';
import { nearest } from '../domain/nearest.ts';
import type { Released } from './release-shoot.ts';

/** What came of all shoots, in one sentence. */
export function releaseSum(all: readonly Released[], dryRun: boolean): string {
  const sum = (of: (one: Released) => number) => all.reduce((total, one) => total + of(one), 0);
  const [released, failed] = [sum((one) => one.released), sum((one) => one.failed)];
  const leftAlone = all.filter((one) => one.leftAlone).length;
  const parts = [
    ...(released === 0 ? [] : [`${counted(released, 'resource')} ${dryRun ? 'would be ' : ''}released`]),
    ...(failed === 0 ? [] : [`${counted(failed, 'resource')} could not be released`]),
    ...(leftAlone === 0 ? [] : [`${counted(leftAlone, 'shoot')} left alone`]),
  ];
  const looked = `${counted(all.length, 'shoot')} looked at`;
  if (parts.length === 0)
    return `${looked}: nothing to release, ${all.length === 1 ? 'it carries no mark' : 'none carries a mark'} of the watchdog`;
  return `${looked}: ${parts.join(', ')}${dryRun ? '; this was a dry run, nothing was written' : ''}`;
}

export function noSuchShoot(wanted: string, shoots: ReadonlySet<string>): string {
  const meant = nearest(wanted, shoots);
  if (meant !== undefined) return `the seed has no Cluster ${wanted}; did you mean ${meant}?`;
  return `the seed has no Cluster ${wanted}; it has ${shoots.size === 0 ? 'none at all' : counted(shoots.size, 'other')}`;
}

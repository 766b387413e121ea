/**
 * `npm run meltdown`: what the watchdog is for, with nothing simulated that decides. Real API servers under RBAC with
 * Gardener's grants, a real kube-controller-manager for each shoot, Gardener's configuration and flags, real timings; only
 * kubelets and the Deployments' pods are played. Each watched shoot has a twin in another seed, cut off at the same instant,
 * that nobody watches. Ends with 0 if no watched node was marked and everything came back as it was, with 1 if not (or
 * where the twins came to no harm either), and with 2 where it cannot be tried.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endTheLiving, isRemovedAfterUs } from './real/clearing-up.ts';
import { startEtcd } from './real/etcd.ts';
import { ControlPlaneMissing } from './control-plane/control-plane.ts';
import { findControlPlane } from './control-plane/find-control-plane.ts';
import { readMeltdownOptions, usage, type MeltdownOptions } from './meltdown/meltdown-options.ts';
import { headLines, outageLine, sumLines, troubleLines } from './meltdown/outage-lines.ts';
import { preparePlace } from './meltdown/place.ts';
import { runMeltdown, type TwinOutages } from './meltdown/run-meltdown.ts';
import { sumUp } from './meltdown/sum.ts';

/** From one rested probe to the next it is up to 36 s. */
const cutWithin = 36_000;

const options = readMeltdownOptions(process.argv.slice(2));
if (options === 'help') process.stdout.write(usage);
else if ('wrong' in options) giveUp(options.wrong);
else await meltDown(options);

async function meltDown({ shoots, nodes, outages, seed, json, keep }: MeltdownOptions): Promise<void> {
  const begin = Date.now();
  const say = (line: string) =>
    process.stderr.write(`${((Date.now() - begin) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`);
  try {
    const bin = await binDirectory(say);
    if (bin === undefined) return;
    const directory = keep === undefined ? mkdtempSync(join(tmpdir(), 'dwd-meltdown-')) : resolve(keep);
    if (keep === undefined) isRemovedAfterUs(directory);
    else mkdirSync(directory, { recursive: true });
    const place = await preparePlace({ bin, directory, etcd: await startEtcd(bin, directory) }, seed);
    const played: TwinOutages[] = [];
    say(`phases from --seed ${seed}; load ${load()}`);
    if (!json) print(headLines.join('\n'));
    await runMeltdown(place, { watched: shoots, unwatched: shoots, nodes, outages, cutWithin }, say, (twins) => {
      played.push(twins);
      print(
        json ? JSON.stringify({ type: 'outage', ...twins }) : [outageLine(twins), ...troubleLines(twins)].join('\n'),
      );
    });
    const sum = sumUp(played);
    print(json ? JSON.stringify({ type: 'sum', seed, ...sum }) : ['', ...sumLines(sum)].join('\n'));
    say(`over; load ${load()}${keep === undefined ? '' : `; logs and journal in ${directory}`}`);
    process.exitCode = sum.failures.length === 0 ? 0 : 1;
  } finally {
    await endTheLiving();
  }
}

/** Undefined, with a sentence said, where there is no controller-manager or nothing at all. */
async function binDirectory(say: (line: string) => void): Promise<string | undefined> {
  try {
    const { directory, from, hasControllerManager } = await findControlPlane(say);
    if (hasControllerManager) return directory;
    giveUp(
      `${from} (${directory}) hold no kube-controller-manager, and without one nothing melts down: put one there, or unset KUBEBUILDER_ASSETS.`,
    );
  } catch (error) {
    if (!(error instanceof ControlPlaneMissing)) throw error;
    giveUp(error.message);
  }
  return undefined;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function giveUp(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

function load(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');
}

/**
 * `npm run night`: random troubles without end, on real servers. The usage has what it does; packages/lab/night/laws.ts, what it is judged by.
 */
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import process from 'node:process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';
import { keptDirectory, preparePlace } from './meltdown/place.ts';
import { judge, whyMarked, type LawSum } from './night/laws.ts';
import { playNight, type Night } from './night/play-night.ts';
import { playAsked, countOption, readOptions, type Asked } from './options/read-options.ts';
import { progress } from './options/progress.ts';
import { endTheLiving } from './real/clearing-up.ts';
import type { Judged } from './night/facts.ts';

async function night({ length, shoots, nodes, seed, keep }: NightOptions): Promise<void> {
  const told = progress(systemClock, (line) => process.stderr.write(`${line}\n`));
  try {
    const directory = keep === undefined ? undefined : keptDirectory('keep', keep);
    told.goesOn(() => 'looking for etcd, kube-apiserver and kube-controller-manager');
    const ground = await prepareGround('night', told.say, { directory });
    const place = await preparePlace({ ...ground, silences: true }, seed);
    told.say(`troubles from --seed ${seed}`);
    const played = await playNight(place, { length, shoots, nodes }, told);
    writeFileSync(join(ground.directory, 'struck.json'), JSON.stringify(played.facts.struck, null, 1));
    const { kcmNodeMonitorGraceDuration: graceMillis, nodeLeaseFailureFraction, dependants } = place.config;
    const judged = { graceMillis, failureFraction: nodeLeaseFailureFraction, dependants, nodes };
    const sums = judge(played.facts, judged);
    process.stdout.write(`${nightLines(played, judged, sums).join('\n')}\n`);
    if (!sums.some(({ broken }) => broken.length > 0)) return;
    process.exitCode = 1;
    if (keep !== undefined) return;
    // What nobody finds again is not explained: it takes another hour to break the same law.
    const kept = `${ground.directory}-broken`;
    renameSync(ground.directory, kept);
    told.say(`logs, audit logs, journals and struck.json stay in ${kept}`);
  } catch (error) {
    process.stderr.write(
      `The night could not be played: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 2;
  } finally {
    await endTheLiving();
    told.stop();
  }
}

const counted = (names: readonly string[]): readonly string[] =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, all]) => `${String(all.length).padStart(5)}  ${name}`);

/** What struck, what each law came to, what was broken. */
function nightLines({ facts, leftOut, backAfter }: Night, judged: Judged, sums: readonly LawSum[]): readonly string[] {
  const zeros = facts.written.filter(
    ({ by, replicas, name }) => by !== undefined && replicas === 0 && name === 'kube-controller-manager',
  );
  const why = facts.marked.map((mark) => whyMarked(facts, judged, mark) ?? 'nothing explains it');
  return [
    'struck',
    ...counted(facts.struck.map(({ kind }) => kind)),
    ...(leftOut.length === 0 ? [] : ['left out, for what they met', ...counted(leftOut)]),
    '',
    `kube-controller-managers scaled to 0: ${zeros.length} times; nodes marked: ${facts.marked.length}`,
    ...counted(why.map((reason) => `marked while or after: ${reason}`)),
    backAfter === undefined
      ? 'not all came back'
      : `all was as it should be ${seconds(backAfter)} after the last trouble`,
    '',
    'law                                              judged   open  broken',
    ...sums.map(
      ({ law, asked, open, broken }) =>
        `${law.padEnd(48)} ${String(asked - open).padStart(6)} ${String(open).padStart(6)} ${String(broken.length).padStart(7)}`,
    ),
    ...sums.flatMap(({ law, broken }) => broken.slice(0, 10).map((one) => `BROKEN ${law}: ${one}`)),
  ];
}

type NightOptions = Readonly<{
  /** In ms. */
  length: number;
  shoots: number;
  nodes: number;
  /** Of the troubles. */
  seed: number;
  keep: string | undefined;
}>;

const usage = `Usage: npm run night -- [--minutes 60] [--shoots 3] [--nodes 4] [--seed N] [--keep DIR]

Random troubles without end before two probers on real API servers and kube-controller-managers: gateways that break, API servers, etcd,
kubelets and leaders that are killed, stopped and continued, a restored snapshot, rotated Secrets, shoots that are hibernated, rolled,
deleted and made again, people who scale by hand. At the end the laws are judged by the API servers' audit logs and objects.
Ends with 0 if none was broken, with 1 if one was, and with 2 if the night could not be played.

  --minutes   how long troubles strike; then up to four minutes until all is as it should be
  --shoots    each needs 400 MB
  --nodes     how many each shoot has
  --seed      the number from which the troubles are drawn; each run prints its own
  --keep DIR  keeps everything there, as a broken law does anyway: the logs and audit logs of all processes, the probers' journals, and what struck (struck.json)
`;

/** The options, or a sentence that says what is wrong with them. */
function readNightOptions(args: readonly string[]): Asked<NightOptions> {
  return readOptions(
    args,
    {
      minutes: { type: 'string', default: '60' },
      shoots: { type: 'string', default: '3' },
      nodes: { type: 'string', default: '4' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      keep: { type: 'string' },
    },
    ({ minutes, shoots, nodes, seed, keep }) => ({
      length: 60_000 * countOption('minutes', minutes, 1),
      shoots: countOption('shoots', shoots, 1),
      // One that is stopped must not be enough to make a shoot look cut off.
      nodes: countOption('nodes', nodes, 3),
      seed: countOption('seed', seed, 0),
      keep,
    }),
  );
}

await playAsked(readNightOptions(process.argv.slice(2)), usage, night);

import { naturalOrder } from '../domain/natural-order.ts';
import { firstValueFrom, merge } from 'rxjs';
import { KubeError } from '../adapters/kube/kube-error.ts';
import { systemClock as clock } from '../adapters/clock/wall-clock.ts';
import { counted, instantText } from '../adapters/words/plain-words.ts';
import { judgeStanding } from '../domain/prober/standing.ts';
import type { Millis } from '../domain/time.ts';
import { refuse, type CommandIo } from './command.ts';
import { documentText } from './document.ts';
import { boolFlag, choiceFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';
import { leaderWords, leadingProber } from './leading-prober.ts';
import { askedShoot, namedShoot } from './named-shoot.ts';
import { patience, releaseCounts, releaseShoot, releaseSum, type Released, type ReleaseStep } from './release-shoot.ts';
import { leaseNameOf } from '../adapters/election/lease-record.ts';
import {
  clusterName,
  groupWithoutUser,
  readProbers,
  runOnSeed,
  seedCommandFlags,
  unreadKindWords,
  waitingForLists,
  watchedSeed,
  type SeedAtHand,
} from './seed-command.ts';

const { configFile, kubeconfig, context, shoot, ...otherFlags } = seedCommandFlags;

const forms = ['name', 'json', 'yaml'] as const;

export const releaseFlags = flagSet(
  'release',
  {
    configFile,
    kubeconfig,
    context,
    shoot,
    dryRun: boolFlag({ help: 'say what would be done, and write nothing' }),
    force: boolFlag({
      help: 'also while a prober leads, which would scale everything down again if the nodes are cut off',
    }),
    output: choiceFlag({
      choices: forms,
      help: 'one document, or the names of the shoots in which something was raised, instead of sentences',
      also: ['o'],
    }),
    ...otherFlags,
  },
  { operands: '[SHOOT]' },
);

/** A leader renews its Lease every 2 s, so nothing is written for longer than this after another one took it. */
const lookEvery: Millis = 2_000;

type Wanted = Readonly<{
  shoot: string | undefined;
  dryRun: boolean;
  force: boolean;
  output: (typeof forms)[number] | undefined;
  leaderElectionNamespace: string;
}>;

/**
 * `release`: raises what the watchdog left scaled down and takes its annotations away, level by level, without waiting
 * for pods; for the day on which the watchdog is taken out (SPEC 1.1, 6.5). A shoot that 3.1 excludes is left alone, and named.
 */
export async function runRelease(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = releaseFlags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { values, operands } = parsed;
  const only = askedShoot('release', operands, values.shoot);
  if (!only.ok) return refuse(only, io);
  const groupless = groupWithoutUser('release', values);
  if (groupless !== undefined) return refuse(groupless, io);
  return await runOnSeed('release', values, io, readProbers, (seed) =>
    releaseAll(seed, { ...values, shoot: only.asked }, io),
  );
}

function isDone({ outcome }: ReleaseStep): boolean {
  return outcome === 'written' || outcome === 'would be written';
}

async function releaseAll(
  { client, config, server, warn, fail }: SeedAtHand,
  { shoot: asked, dryRun, force, output, leaderElectionNamespace: namespace }: Wanted,
  io: CommandIo,
): Promise<number> {
  const steps: ReleaseStep[] = [];
  // A document stands alone on the standard output.
  const out = output === undefined ? io.out : warn;
  const say = (step: ReleaseStep): void => {
    if (output === undefined) io.out(`${step.shoot}: ${step.says}`);
    else steps.push(step);
  };
  const leading = await leadingProber(client, clock, namespace);
  let lookedAt = clock.now();
  let stopped: string | undefined;
  const mayWrite = async (): Promise<string | undefined> => {
    if (force || stopped !== undefined || clock.now() - lookedAt < lookEvery) return stopped;
    try {
      const again = await leadingProber(client, clock, namespace);
      lookedAt = clock.now();
      if (again.is === 'led') stopped = leaderWords(again, namespace, lookedAt).leads;
      return stopped;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      // It may be read again before the next write.
      return `who leads cannot be read: ${error.message}`;
    }
  };
  if (leading.is === 'noLease')
    out(
      `There is no Lease ${namespace}/${leaseNameOf('prober')}: no prober elects there. One that runs without election, or elects in another namespace, may scale down again what is released.`,
    );
  if (leading.is === 'led') {
    const { leads, remedy } = leaderWords(leading, namespace, clock.now());
    if (!force && !dryRun) return fail(`${leads} ${remedy}`);
    const capital = leads.charAt(0).toUpperCase() + leads.slice(1);
    out(
      `${capital} ${force ? 'It may scale down again what is released.' : `Without --dry-run this would be refused. ${remedy}`}`,
    );
  }

  const seed = watchedSeed({ client, config });
  const holding = seed.shoots$.subscribe();
  try {
    const all = await firstValueFrom(merge(seed.shoots$, waitingForLists(seed.troubles$, warn)));
    const named = asked === undefined ? undefined : namedShoot(asked, all);
    if (named !== undefined && 'problem' in named) return fail(named.problem);
    const wanted = named === undefined ? [...all].toSorted(naturalOrder) : [named.shoot];
    if (wanted.length === 0) out(`${server} has no Clusters: is it the seed?`);
    for (const one of await seed.findStrays(named?.shoot)) warn(unreadKindWords(one));
    const released: Released[] = [];
    const mayTryAgain = patience(clock);
    for (const one of wanted) {
      if (stopped !== undefined) break;
      const standing = judgeStanding(await seed.of(one));
      released.push(await releaseShoot({ standing, scaler: seed.scaler, dryRun, say, mayWrite, mayTryAgain }));
    }
    const counts = releaseCounts(released);
    const whyStopped = stopped === undefined ? {} : { stopped };
    const document = {
      release: 1,
      at: instantText(clock.now()),
      seed: server,
      dryRun,
      steps,
      ...whyStopped,
      summary: counts,
    };
    if (output === undefined) io.out(releaseSum(counts, dryRun));
    else if (output === 'name') {
      for (const name of new Set(steps.filter(isDone).map((step) => step.shoot))) io.out(clusterName(name));
      for (const step of steps.filter((one) => !isDone(one))) warn(`${step.shoot}: ${step.says}`);
    } else io.out(documentText(document, output), 'ours');
    if (stopped !== undefined) {
      const left = counted(wanted.length - released.length, 'shoot');
      return fail(`it has stopped, with ${left} not looked at: ${stopped} End it first, or say --force.`);
    }
    return counts.failed === 0 ? 0 : 1;
  } finally {
    holding.unsubscribe();
  }
}

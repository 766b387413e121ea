import { firstValueFrom, merge } from 'rxjs';
import { systemClock as clock } from '../adapters/clock/wall-clock.ts';
import { judgeStanding } from '../domain/prober/standing.ts';
import { refuse, type CommandIo } from './command.ts';
import { boolFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';
import { leaderWords, leadingProber } from './leading-prober.ts';
import { releaseShoot, noSuchShoot, releaseSum, type Released } from './release-shoot.ts';
import { leaseNameOf } from './role/role.ts';
import { runOnSeed, seedCommandFlags, waitingForLists, watchedSeed, type SeedAtHand } from './seed-command.ts';

const { configFile, kubeconfig, shoot, ...otherFlags } = seedCommandFlags;

const flags = flagSet('release', {
  configFile,
  kubeconfig,
  shoot,
  dryRun: boolFlag({ help: 'say what would be done, and write nothing' }),
  force: boolFlag({
    help: 'also while a prober leads, which would scale everything down again if the nodes are cut off',
  }),
  ...otherFlags,
});

type Wanted = Readonly<{ shoot: string | undefined; dryRun: boolean; force: boolean; leaderElectionNamespace: string }>;

/**
 * `release`: raises what the watchdog left scaled down and takes its annotations away, level by level, without waiting
 * for pods; for the day on which the watchdog is taken out (SPEC 1.1, 6.5). A shoot that 3.1 excludes is left alone, and named.
 */
export async function runRelease(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  return await runOnSeed('release', parsed.values, io, (seed) => releaseAll(seed, parsed.values, io));
}

async function releaseAll(
  { client, config, server, warn, fail }: SeedAtHand,
  { shoot: only, dryRun, force, leaderElectionNamespace: namespace }: Wanted,
  io: CommandIo,
): Promise<number> {
  const leading = await leadingProber(client, clock, namespace);
  if (leading.is === 'noLease')
    io.out(
      `There is no Lease ${namespace}/${leaseNameOf('prober')}: no prober elects there. One that runs without election, or elects in another namespace, may scale down again what is released.`,
    );
  if (leading.is === 'led') {
    const { leads, remedy } = leaderWords(leading, namespace, clock.now());
    if (!force && !dryRun) return fail(`${leads} ${remedy}`);
    const capital = leads.charAt(0).toUpperCase() + leads.slice(1);
    io.out(
      `${capital} ${force ? 'It may scale down again what is released.' : `Without --dry-run this would be refused. ${remedy}`}`,
    );
  }

  const seed = watchedSeed({ client, config });
  const holding = seed.shoots$.subscribe();
  try {
    const all = await firstValueFrom(merge(seed.shoots$, waitingForLists(seed.troubles$, warn)));
    if (only !== undefined && !all.has(only)) return fail(noSuchShoot(only, all));
    const wanted = only === undefined ? [...all].toSorted() : [only];
    if (wanted.length === 0) io.out(`${server} has no Clusters: is it the seed?`);
    const released: Released[] = [];
    for (const one of wanted) {
      const standing = judgeStanding(await seed.of(one));
      released.push(await releaseShoot({ standing, scaler: seed.scaler, dryRun, say: io.out }));
    }
    io.out(releaseSum(released, dryRun));
    return released.every(({ failed }) => failed === 0) ? 0 : 1;
  } finally {
    holding.unsubscribe();
  }
}

import { firstValueFrom, ignoreElements, merge, Subject, tap, type Observable } from 'rxjs';
import packageJson from '../../package.json' with { type: 'json' };
import { systemChance } from '../adapters/clock/chance.ts';
import { rateOf } from '../adapters/seed-client/rate.ts';
import { systemClock as clock } from '../adapters/clock/wall-clock.ts';
import { readConfigFile } from '../adapters/config/config-file.ts';
import { findCredentials } from '../adapters/credentials/find-credentials.ts';
import { KubeError } from '../adapters/kube/kube-error.ts';
import type { StreamNotice } from '../adapters/reflector/stream-trouble.ts';
import { seedWatch } from '../adapters/seed-watch/seed-watch.ts';
import { kubeScaler } from '../adapters/seed/scaler.ts';
import { errorWords } from '../adapters/words/plain-words.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import type { SeedEvent } from '../machines/shoot-language.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport } from './config-report.ts';
import { boolFlag, floatFlag, intFlag, requiredFlag, stringFlag } from './flag.ts';
import { flagSet } from './go-flags.ts';
import { leaderWords, leadingProber } from './leading-prober.ts';
import { releaseShoot, type Released } from './release-shoot.ts';
import { noSuchShoot, releaseSum } from './release-words.ts';
import { leaseNameOf, usualLeaseNamespace } from './role/role.ts';
import { gardenerRate, seedClients } from './role/seed-clients.ts';

const flags = flagSet('release', {
  configFile: requiredFlag({ placeholder: 'FILE', help: "the prober's configuration, a YAML file; required" }),
  kubeconfig: stringFlag({ placeholder: 'FILE', help: "the seed's kubeconfig; found as the prober finds it" }),
  shoot: stringFlag({ placeholder: 'NAMESPACE', help: 'only this shoot, by its namespace in the seed; else all' }),
  dryRun: boolFlag({ help: 'say what would be done, and write nothing' }),
  force: boolFlag({
    help: 'also while a prober leads, which would scale everything down again if the nodes are cut off',
  }),
  leaderElectionNamespace: stringFlag({
    default: usualLeaseNamespace,
    placeholder: 'NAMESPACE',
    help: "where the prober's Lease is",
  }),
  kubeApiQps: floatFlag({ default: gardenerRate.qps, help: 'requests a second to the seed' }),
  kubeApiBurst: intFlag({ default: gardenerRate.burst, help: 'requests to the seed at once' }),
});

/** The first lists of the largest seed take seconds. After this long, the seed counts as not answering. */
const listsWithin = 60_000;
const sayWaitsAfter = 5_000;

/** The streams without which nothing is known. */
const needed: ReadonlySet<string> = new Set(['clusters', 'secrets']);

/**
 * `release`: raises what the watchdog left scaled down and takes its annotations away, level by level, without waiting
 * for pods; for the day on which the watchdog is taken out (SPEC 1.1, 6.5). A shoot that 3.1 excludes is left alone, and named.
 */
export async function runRelease(args: readonly string[], io: CommandIo): Promise<number> {
  const parsed = flags.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { values } = parsed;
  const reading = await readConfigFile(values.configFile, (written) => readProberConfig(written, { strict: false }));
  if (!reading.ok) {
    for (const line of refusalReport(values.configFile, reading)) io.err(line);
    return 1;
  }
  const { config } = reading;

  const fail = (problem: string): number => {
    io.err(`dependency-watchdog release: ${problem}`);
    return 1;
  };
  let server = 'the seed';
  try {
    const credentials = findCredentials(values.kubeconfig, io.env);
    const read = await credentials.read(false);
    server = read.server;
    for (const warning of read.warnings ?? []) io.err(`dependency-watchdog release: ${warning}`);
    const client = seedClients({
      clock,
      credentials,
      rate: rateOf({ qps: values.kubeApiQps, burst: values.kubeApiBurst }),
      userAgent: `dependency-watchdog-release/${packageJson.version}`,
      hooks: { onCredentialsRead: (problem) => void (problem !== undefined && io.err(problem)) },
    })();
    const leading = await leadingProber(client, clock, values.leaderElectionNamespace);
    if (leading.is === 'noLease')
      io.out(
        `There is no Lease ${values.leaderElectionNamespace}/${leaseNameOf('prober')}: no prober elects there. One that runs without election, or elects in another namespace, may scale down again what is released.`,
      );
    if (leading.is === 'led') {
      const { leads, remedy } = leaderWords(leading, values.leaderElectionNamespace, clock.now());
      if (!values.force && !values.dryRun) return fail(`${leads} ${remedy}`);
      const capital = leads.charAt(0).toUpperCase() + leads.slice(1);
      io.out(
        `${capital} ${values.force ? 'It may scale down again what is released.' : `Without --dry-run this would be refused. ${remedy}`}`,
      );
    }

    const troubles = new Subject<StreamNotice>();
    const seed = seedWatch({ client, clock, chance: systemChance, config, notice: (one) => troubles.next(one) });
    const holding = seed.synced$.subscribe();
    try {
      const waiting = waitingFor(troubles, (line) => io.err(`dependency-watchdog release: ${line}`));
      const all = await firstValueFrom(merge(seed.shoots$, waiting));
      if (values.shoot !== undefined && !all.has(values.shoot)) return fail(noSuchShoot(values.shoot, all));
      const wanted = values.shoot === undefined ? [...all].toSorted() : [values.shoot];
      if (wanted.length === 0) io.out(`${server} has no Clusters: is it the seed?`);
      const scaler = kubeScaler({ client, clock });
      const released: Released[] = [];
      for (const shoot of wanted) {
        const known = present(seed.events$(shoot));
        released.push(await releaseShoot({ shoot, known, config, scaler, dryRun: values.dryRun, say: io.out }));
      }
      io.out(releaseSum(released, values.dryRun));
      return released.every(({ failed }) => failed === 0) ? 0 : 1;
    } finally {
      holding.unsubscribe();
    }
  } catch (error) {
    if (!(error instanceof KubeError)) return fail(errorWords(error));
    return fail(error.kind === 'status' ? `${server}: ${error.message}` : `${server} cannot be reached: ${error.why}`);
  }
}

/** Says after some seconds that it waits. Errors once the first lists are refused or too late, with what stood in their way. */
function waitingFor(troubles: Observable<StreamNotice>, say: (line: string) => void): Observable<never> {
  const out = new Map<string, string>();
  const problems = () => [...out].map(([stream, problem]) => `; ${stream}: ${problem}`).join('');
  const since = clock.now();
  return merge(
    troubles.pipe(
      tap((notice) => {
        if (notice.kind === 'live') out.delete(notice.stream);
        if (notice.kind !== 'out') return;
        out.set(notice.stream, notice.problem);
        // What is refused now is refused in a minute. A dependant's kind that may not be watched is read one by one.
        if (notice.refused && needed.has(notice.stream))
          throw new Error(`the seed does not let this user read it: ${notice.problem}`);
      }),
    ),
    clock.wakeAt(since + sayWaitsAfter).pipe(tap(() => say(`waits for the seed's first lists${problems()}`))),
    clock.wakeAt(since + listsWithin).pipe(
      tap(() => {
        throw new Error(`the seed's first lists were not in within ${listsWithin / 1_000} s${problems()}`);
      }),
    ),
  ).pipe(ignoreElements());
}

/** The events that a shoot's stream replays at once. */
function present(events$: Observable<SeedEvent>): readonly SeedEvent[] {
  const events: SeedEvent[] = [];
  events$.subscribe((event) => events.push(event)).unsubscribe();
  return events;
}

import { ignoreElements, merge, Subject, tap, type Observable } from 'rxjs';
import packageJson from '../package.json' with { type: 'json' };
import { systemChance } from '../adapters/clock/chance.ts';
import { systemClock as clock } from '../adapters/clock/wall-clock.ts';
import { readConfigFile } from '../adapters/config/config-file.ts';
import { readYamlConfig } from '../adapters/config/yaml-config.ts';
import { findCredentials } from '../adapters/credentials/find-credentials.ts';
import type { KubeClient } from '../adapters/kube/kube-client.ts';
import { KubeError } from '../adapters/kube/kube-error.ts';
import type { StreamNotice } from '../adapters/reflector/stream-item.ts';
import { kubeScaler } from '../adapters/seed/scaler.ts';
import { findStrays, type Stray, type UnreadKind } from '../adapters/seed/strays.ts';
import { seedPicture } from '../adapters/seed-watch/seed-picture.ts';
import { rateOf } from '../adapters/seed-client/rate.ts';
import { errorWords, lengthWords } from '../adapters/words/plain-words.ts';
import type { ConfigReading } from '../domain/config/config-remark.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import type { ShootNamespace } from '../domain/names.ts';
import type { DependantRef } from '../domain/prober/dependant.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import type { Millis } from '../domain/time.ts';
import type { ShootPicture } from '../domain/prober/standing.ts';
import { programName, wrongCommandLine, type CommandIo, type Refusal } from './command.ts';
import { refusalReport } from './config-report.ts';
import { configOfSeed } from './seed-config.ts';
import { floatFlag, intFlag, listFlag, stringFlag, timeoutFlag } from './flag.ts';
import { usualLeaseNamespace } from '../adapters/election/lease-record.ts';
import { gardenerRate, seedClients } from './role/seed-clients.ts';

/** The flags of an operator's commands that look at a seed. */
export const seedCommandFlags = {
  configFile: stringFlag({
    placeholder: 'FILE',
    help: "the prober's configuration, a YAML file; unless given, that of the prober in the seed, else Gardener's",
  }),
  kubeconfig: stringFlag({ placeholder: 'FILE', help: "the seed's kubeconfig; found as the prober finds it" }),
  context: stringFlag({ placeholder: 'NAME', help: 'the context of the kubeconfig; its current one unless given' }),
  as: stringFlag({ placeholder: 'USER', help: 'ask the seed as this user' }),
  asGroup: listFlag({ placeholder: 'GROUP', help: 'with --as: as a member of this group; may be given again' }),
  requestTimeout: timeoutFlag({ help: 'how long each answer of the seed may take, as 5s or 1m; 0 for what is usual' }),
  shoot: stringFlag({
    placeholder: 'NAMESPACE',
    help: 'only this shoot, by its namespace in the seed; the same as SHOOT',
    also: ['namespace', 'n'],
  }),
  leaderElectionNamespace: stringFlag({
    default: usualLeaseNamespace,
    placeholder: 'NAMESPACE',
    help: 'where the prober and its Lease are',
  }),
  kubeApiQps: floatFlag({ default: gardenerRate.qps, help: 'requests a second to the seed' }),
  kubeApiBurst: intFlag({ default: gardenerRate.burst, help: 'requests to the seed at once' }),
} as const;

/** The prober's configuration, whose unknown keys are warned of. */
export function readProbers(written: unknown): ConfigReading<ProberConfig> {
  return readProberConfig(written, { strict: false });
}

type SeedValues = Readonly<{
  kubeconfig: string | undefined;
  context: string | undefined;
  as?: string | undefined;
  asGroup?: readonly string[];
  requestTimeout?: Millis;
  kubeApiQps?: number;
  kubeApiBurst?: number;
}>;

/** What such a command works with. `server`: the seed's address, for sentences. */
export type SeedAtHand<Config = ProberConfig> = Readonly<{
  client: KubeClient;
  config: Config;
  server: string;
  /** Says on the error output, with the command's name, what an operator should know. */
  warn: (problem: string) => void;
  /** The same, and returns the exit code. */
  fail: (problem: string) => 1;
}>;

/** Of a shoot, as `kubectl get clusters -o name` prints it. */
export function clusterName(shoot: ShootNamespace): string {
  return `cluster.extensions.gardener.cloud/${shoot}`;
}

/** A group without a user: the seed would not know as whom it is asked, and so refuse each request. */
export function groupWithoutUser(command: string, { as, asGroup = [] }: SeedValues): Refusal | undefined {
  return !as && asGroup.length > 0 ? wrongCommandLine(command, '--as-group is of use with --as alone') : undefined;
}

/** Reads configuration and kubeconfig, and runs the command. Whatever stands in its way is one sentence, and exit code 1. */
export async function runOnSeed<Config>(
  command: string,
  values: SeedValues & Readonly<{ configFile: string | undefined; leaderElectionNamespace: string }>,
  io: CommandIo,
  read: (written: unknown) => ConfigReading<Config>,
  run: (seed: SeedAtHand<Config>) => Promise<number>,
): Promise<number> {
  const { configFile, leaderElectionNamespace: namespace } = values;
  const usable = (place: string, reading: ConfigReading<Config>): reading is ConfigReading<Config> & { ok: true } => {
    if (!reading.ok) for (const line of refusalReport(place, reading)) io.err(line);
    return reading.ok;
  };
  if (configFile) {
    const reading = await readConfigFile(configFile, read);
    return usable(configFile, reading) ? await runAtSeed(command, values, io, reading.config, run) : 1;
  }
  return await runAtSeed(command, values, io, undefined, async (seed) => {
    const { text, from } = await configOfSeed(seed.client, namespace);
    const reading = readYamlConfig(text, read);
    if (!usable(from, reading)) return 1;
    seed.warn(`it goes by ${from}`);
    return await run({ ...seed, config: reading.config });
  });
}

/** The same with a configuration that was read already. */
export async function runAtSeed<Config>(
  command: string,
  values: SeedValues,
  io: CommandIo,
  config: Config,
  run: (seed: SeedAtHand<Config>) => Promise<number>,
): Promise<number> {
  const { kubeconfig, context, as, asGroup: asGroups = [], requestTimeout = 0 } = values;
  const { kubeApiQps: qps = gardenerRate.qps, kubeApiBurst: burst = gardenerRate.burst } = values;
  const warn = (problem: string) => io.err(`${programName} ${command}: ${problem}`);
  const fail = (problem: string) => {
    warn(problem);
    return 1 as const;
  };
  let server = 'the seed';
  try {
    const credentials = findCredentials(kubeconfig, io.env, { context, as, asGroups });
    const found = await credentials.read(false);
    server = found.server;
    for (const warning of found.warnings ?? []) warn(warning);
    const client = seedClients({
      clock,
      credentials,
      rate: rateOf({ qps, burst }),
      userAgent: `dependency-watchdog-${command}/${packageJson.version}`,
      timeout: requestTimeout === 0 ? undefined : requestTimeout,
      hooks: { onCredentialsRead: (problem) => void (problem !== undefined && io.err(problem)) },
    })();
    return await run({ client, config, server, warn, fail });
  } catch (error) {
    if (!(error instanceof KubeError)) return fail(errorWords(error));
    return fail(error.kind === 'status' ? `${server}: ${error.message}` : `${server} cannot be reached: ${error.why}`);
  }
}

/**
 * What a seed shows of its shoots while somebody subscribes. `refusal`: why a dependant that no watch shows is not asked for by itself; undefined
 * where it is.
 */
export function watchedSeed(
  { client, config }: Pick<SeedAtHand, 'client' | 'config'>,
  refusal: (ref: DependantRef) => string | undefined = () => undefined,
) {
  const troubles$ = new Subject<StreamNotice>();
  const scaler = kubeScaler({ client, clock });
  const picture = seedPicture({
    client,
    clock,
    chance: systemChance,
    config,
    notice: (one) => troubles$.next(one),
    ask: async (shoot, { ref }) => {
      const problem = refusal(ref);
      if (problem !== undefined) return { read: false, problem };
      const answer = await scaler.read(shoot, ref, { urgent: false });
      return answer.outcome === 'read'
        ? { read: true, view: answer.view, writes: {} }
        : { read: false, problem: answer.detail };
    },
  });
  let strays: ReadonlyMap<ShootNamespace, readonly Stray[]> = new Map();
  return {
    ...picture,
    troubles$,
    scaler,
    /** Looks for strays, of one namespace or of all (SPEC 6.5). Those that were found belong to what is known of their shoots. Never rejects. */
    async findStrays(only: ShootNamespace | undefined): Promise<readonly UnreadKind[]> {
      const found = await findStrays({ client, clock, scaler, config, only, writers: true });
      strays = Map.groupBy(found.strays, ({ shoot }) => shoot);
      return found.unread;
    },
    of: async (shoot: ShootNamespace): Promise<ShootPicture> => {
      const found = strays.get(shoot) ?? [];
      return { ...(await picture.of(shoot)), strays: found.map(({ dependant, seen }) => [dependant, seen] as const) };
    },
  };
}

/** In a sentence, of a kind that could not be looked through for marks. */
export function unreadKindWords({ kind, problem }: UnreadKind): string {
  return `nobody knows whether a resource of the kind ${kind} carries the mark that is not in the configuration: ${problem}`;
}

/** The first lists of the largest seed take seconds. After this long, the seed counts as not answering. */
const listsWithin = 60_000;
const sayWaitsAfter = 5_000;

/** Says after some seconds that it waits. Errors once the first lists are refused or too late, with what stood in their way. */
export function waitingForLists(troubles: Observable<StreamNotice>, say: (line: string) => void): Observable<never> {
  const out = new Map<string, string>();
  const problems = () => [...out].map(([stream, problem]) => `; ${stream}: ${problem}`).join('');
  const since = clock.now();
  return merge(
    troubles.pipe(
      tap((notice) => {
        if (notice.kind === 'live') out.delete(notice.stream);
        if (notice.kind !== 'out') return;
        out.set(notice.stream, notice.problem);
        // What is refused now is refused in a minute. A dependant's kind that may not be watched is not needed to begin.
        if (notice.refused && notice.stream === 'clusters')
          throw new Error(`the seed does not let this user read it: ${notice.problem}`);
      }),
    ),
    clock.wakeAt(since + sayWaitsAfter).pipe(tap(() => say(`waits for the seed's first lists${problems()}`))),
    clock.wakeAt(since + listsWithin).pipe(
      tap(() => {
        throw new Error(`the seed's first lists were not in within ${lengthWords(listsWithin)}${problems()}`);
      }),
    ),
  ).pipe(ignoreElements());
}

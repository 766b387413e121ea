import process from 'node:process';
import {
  audit,
  defer,
  repeat,
  concatMap,
  filter,
  firstValueFrom,
  lastValueFrom,
  fromEvent,
  merge,
  takeUntil,
  tap,
  type Observable,
} from 'rxjs';
import { systemClock as clock } from '../adapters/clock/wall-clock.ts';
import { hasLostItsReader } from '../adapters/output/machine-output.ts';
import { KubeError } from '../adapters/kube/kube-error.ts';
import type { ConfigReading } from '../domain/config/config-remark.ts';
import { roleOfConfig } from '../domain/config/misplaced-config.ts';
import { readWeederConfig } from '../domain/config/read-weeder-config.ts';
import type { ProberConfig } from '../domain/prober/prober-config.ts';
import type { WeederConfig } from '../domain/weeder/weeder-config.ts';
import { refuse, wrongCommandLine, type CommandIo } from './command.ts';
import { boolFlag, choiceFlag, stringFlag } from './flag.ts';
import { flagSet, type FlagValues } from './go-flags.ts';
import { askedShoot, namedShoot } from './named-shoot.ts';
import {
  groupWithoutUser,
  readProbers,
  runOnSeed,
  seedCommandFlags,
  waitingForLists,
  type SeedAtHand,
} from './seed-command.ts';
import { proberUrl } from './status/ask-prober.ts';
import { seedLook, type LookAtSeed } from './status/seed-look.ts';
import { lookAtUnselected } from './status/unselected-look.ts';
import { lookAtServices } from './status/weeder-look.ts';
import { weederDocument, weederLines } from './status/weeder-status.ts';
import { isSeedAtOdds, type SeedStatus } from './status/status-report.ts';
import { statusOutput, type StatusOutput } from './status/status-output.ts';
import { processTerminal, wantsColours, type Terminal } from './terminal/terminal.ts';

const forms = ['table', 'wide', 'name', 'json', 'yaml'] as const;

const { configFile, kubeconfig, context, shoot, ...otherFlags } = seedCommandFlags;

const statusFlags = {
  configFile: {
    ...configFile,
    help: "the prober's configuration, or the weeder's, a YAML file; unless given, that of the prober in the seed, else Gardener's",
  },
  kubeconfig,
  context,
  shoot,
  output: choiceFlag({ choices: forms, default: 'table', help: 'the form of the output', also: ['o'] }),
  noHeaders: boolFlag({ help: 'the rows of the table, and nothing above or below them' }),
  watch: boolFlag({ help: 'go on, and show each change, until it is interrupted', also: ['w'] }),
  prober: stringFlag({
    placeholder: 'ADDRESS',
    help: 'also ask the prober that answers there whether it leads, and what only it knows; such as localhost:9645 after a kubectl port-forward of its --inspector-bind-addr',
  }),
  ...otherFlags,
};
export const statusFlagSet = flagSet('status', statusFlags, { operands: '[SHOOT]' });

export type StatusSurroundings = Readonly<{
  terminal: Terminal | undefined;
  colours: boolean;
  interrupted$: Observable<unknown>;
}>;

/**
 * `status`: how the shoots of a seed stand, by what the cluster shows (SPEC 9.8). It writes nothing. Ends with code 1 where something is at odds with what
 * should be.
 */
export async function runStatus(
  args: readonly string[],
  io: CommandIo,
  surroundings: StatusSurroundings = usualSurroundings(io.env),
): Promise<number> {
  const parsed = statusFlagSet.parse(args);
  if (!parsed.ok) return refuse(parsed, io);
  const { values, operands } = parsed;
  const only = askedShoot('status', operands, values.shoot);
  if (!only.ok) return refuse(only, io);
  const groupless = groupWithoutUser('status', values);
  if (groupless !== undefined) return refuse(groupless, io);
  const url = values.prober === undefined ? undefined : proberUrl(values.prober);
  if (values.prober !== undefined && url === undefined)
    return refuse(
      wrongCommandLine(
        'status',
        `--prober must be an address such as localhost:9645; found ${JSON.stringify(values.prober)}`,
      ),
      io,
    );
  return await runOnSeed<ProberConfig | WeederConfig>('status', values, io, readEither, async (seed) => {
    const { config } = seed;
    const wanted = { ...values, shoot: only.asked, url };
    return 'services' in config
      ? await showServices({ ...seed, config }, wanted, io, surroundings)
      : await showStatus({ ...seed, config }, wanted, io, surroundings);
  });
}

/** Whose it is, is seen by its keys. */
function readEither(written: unknown): ConfigReading<ProberConfig | WeederConfig> {
  return roleOfConfig(written) === 'weeder' ? readWeederConfig(written) : readProbers(written);
}

/** The weeder's services, once. Ends with code 1 where no weeder is known to lead. */
async function showServices(
  { client, config, server, warn, fail }: SeedAtHand<WeederConfig>,
  { output, watch, prober, shoot, noHeaders, leaderElectionNamespace: namespace }: Wanted,
  { out }: CommandIo,
  { terminal, colours }: StatusSurroundings,
): Promise<number> {
  const flag = watch ? '--watch' : output === 'name' ? '-o name' : prober === undefined ? undefined : '--prober';
  if (flag !== undefined) return fail(`${flag} is of the prober's status, and the configuration is the weeder's`);
  const whole = await lookAtServices({ client, config, server, namespace });
  const named =
    shoot === undefined ? undefined : namedShoot(shoot, new Set(whole.services.map((one) => one.namespace)));
  if (named !== undefined && 'problem' in named) return fail(named.problem);
  const services = whole.services.filter((one) => named === undefined || one.namespace === named.shoot);
  const unselected = named === undefined ? {} : { unselected: await lookAtUnselected(client, config, named.shoot) };
  const status = { ...whole, services, ...unselected };
  if (services.length === 0) warn(`${server} has none of the services of the configuration`);
  if (output === 'json' || output === 'yaml') out(weederDocument(status, output), 'ours');
  else {
    const width = terminal?.size().columns ?? Infinity;
    for (const line of weederLines(status, { wide: output === 'wide', noHeaders, width, colours })) out(line, 'ours');
  }
  return status.leader.is === 'led' ? 0 : 1;
}

type Wanted = FlagValues<typeof statusFlags> & Readonly<{ url: string | undefined }>;

/** How often leader, prober and ages are looked at while the seed itself shows nothing new. */
const lookEvery = 10_000;
/** How often it is seen whether anybody still reads what is shown. */
const readerLookEvery = 1_000;
/** Many things change at once when a seed is cut off. */
const changesWithin = 300;

async function showStatus(
  seed: SeedAtHand,
  wanted: Wanted,
  io: CommandIo,
  around: StatusSurroundings,
): Promise<number> {
  const { warn, fail, config, server } = seed;
  const look = seedLook({ ...seed, url: wanted.url, namespace: wanted.leaderElectionNamespace });
  const leader = await look.leader();
  const holding = look.shoots$.subscribe();
  try {
    const all = await firstValueFrom(merge(look.shoots$, waitingForLists(look.troubles$, warn)));
    const named = wanted.shoot === undefined ? undefined : namedShoot(wanted.shoot, all);
    if (named !== undefined && 'problem' in named) return fail(named.problem);
    if (all.size === 0) warn(`${server} has no Clusters: is it the seed?`);
    const first = await look.now(leader, named?.shoot);
    const output = statusOutput({
      form: wanted.output,
      dependants: config.dependants,
      io,
      ...around,
      watch: wanted.watch,
      noHeaders: wanted.noHeaders,
    });
    if (!wanted.watch) {
      output.show(first);
      if (first.prober?.problem !== undefined) warn(first.prober.problem);
      return isSeedAtOdds(first) ? 1 : 0;
    }
    const last = await follow(look, named?.shoot, output, around.interrupted$, warn, first);
    output.end();
    return isSeedAtOdds(last) ? 1 : 0;
  } finally {
    holding.unsubscribe();
  }
}

/** Shows each change until it is interrupted. Resolves to the last status. */
async function follow(
  look: LookAtSeed,
  only: string | undefined,
  output: StatusOutput,
  interrupted$: Observable<unknown>,
  warn: (problem: string) => void,
  first: SeedStatus,
): Promise<SeedStatus> {
  let last = first;
  let troubled = '';
  const saidOnce = (problem: string) => {
    if (problem !== troubled && problem !== '') warn(problem);
    troubled = problem;
  };
  const again = async () => {
    try {
      last = await look.now(await look.leader(), only);
      output.show(last);
      saidOnce(last.prober?.problem ?? '');
    } catch (error) {
      // What was shown last stays, and the next look comes all the same.
      if (!(error instanceof KubeError)) throw error;
      saidOnce(error.message);
    }
  };
  output.show(first);
  saidOnce(first.prober?.problem ?? '');
  const later$ = defer(() => clock.wakeAt(clock.now() + lookEvery)).pipe(repeat());
  const looks$ = merge(look.shoots$.pipe(audit(() => clock.wakeAt(clock.now() + changesWithin))), later$).pipe(
    concatMap(again),
  );
  const troubles$ = look.troubles$.pipe(
    tap((notice) => notice.kind === 'out' && warn(`cannot follow ${notice.stream}: ${notice.problem}`)),
  );
  await lastValueFrom(merge(looks$, troubles$).pipe(takeUntil(interrupted$)), { defaultValue: undefined });
  return last;
}

/** The seed is not asked for nobody. */
const readerGone$ = defer(() => clock.wakeAt(clock.now() + readerLookEvery)).pipe(
  repeat(),
  filter(() => hasLostItsReader(1)),
);

function usualSurroundings(env: NodeJS.ProcessEnv): StatusSurroundings {
  return {
    terminal: processTerminal(process.stdout, env),
    colours: wantsColours(process.stdout, env),
    interrupted$: merge(...['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => fromEvent(process, signal)), readerGone$),
  };
}
